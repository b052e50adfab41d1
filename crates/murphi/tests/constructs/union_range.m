-- norumur
const N: 3;
type P: scalarset(N);
type U: union {P, enum{A,B}};
V: union {E, R}; 
