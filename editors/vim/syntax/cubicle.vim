" Words of models of Polycube and Cubicle.
if exists('b:current_syntax')
  finish
endif

syntax keyword cubicleDeclaration type var const array init unsafe universal_unsafe invariant transition predicate number_procs
syntax keyword cubicleKeyword requires require case if then else let in
syntax keyword cubicleQuantifier forall exists forall_other exists_other not
syntax keyword cubicleConstant true false True False
syntax keyword cubicleType proc bool mbool int real
syntax match cubicleName /\<[A-Z][A-Za-z0-9_]*\>/ contains=cubicleConstant
syntax match cubicleNumber /\<\d\+\(\.\d\+\)\?\>/
syntax match cubicleProcess /#[1-9]\d*\>/
syntax match cubicleOperator /:=\|<=>\|=>\|<>\|!=\|<=\|>=\|&&\|||\|[-=<>+*?!]/
syntax match cubicleTransition /\(\<\(transition\|predicate\)\s\+\)\@<=[A-Za-z][A-Za-z0-9_]*/
syntax keyword cubicleTodo TODO FIXME XXX contained
syntax region cubicleComment start=/(\*/ end=/\*)/ contains=cubicleComment,cubicleTodo
syntax match cubicleComment "//.*$" contains=cubicleTodo

highlight default link cubicleDeclaration Keyword
highlight default link cubicleKeyword Statement
highlight default link cubicleQuantifier Operator
highlight default link cubicleConstant Boolean
highlight default link cubicleType Type
highlight default link cubicleName Identifier
highlight default link cubicleNumber Number
highlight default link cubicleProcess Constant
highlight default link cubicleOperator Operator
highlight default link cubicleTransition Function
highlight default link cubicleComment Comment
highlight default link cubicleTodo Todo

let b:current_syntax = 'cubicle'
