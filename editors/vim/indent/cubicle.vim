" Indentation: by open braces. `polycube fmt` does the rest.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=CubicleIndent()
setlocal indentkeys=0},0{,o,O
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*CubicleIndent')
  finish
endif

function CubicleIndent()
  let l:previous = prevnonblank(v:lnum - 1)
  if l:previous == 0
    return 0
  endif
  let l:here = getline(v:lnum)
  if l:here =~# '^\s*\({\|type\>\|var\>\|const\>\|array\>\|init\>\|unsafe\>\|universal_unsafe\>\|invariant\>\|transition\>\|predicate\>\|number_procs\>\)'
    return 0
  elseif l:here =~# '^\s*requires\?\>'
    return shiftwidth()
  endif
  let l:before = substitute(getline(l:previous), '(\*.\{-}\*)\|//.*$', '', 'g')
  let l:indent = indent(l:previous)
  let l:open = len(substitute(l:before, '[^{]', '', 'g')) - len(substitute(l:before, '[^}]', '', 'g'))
  if l:before =~# '^\s*}'
    let l:open += 1
  endif
  let l:indent += l:open * shiftwidth()
  if l:here =~# '^\s*}'
    let l:indent -= shiftwidth()
  endif
  return max([l:indent, 0])
endfunction
