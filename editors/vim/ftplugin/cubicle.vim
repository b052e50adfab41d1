" Settings for models of Polycube and Cubicle.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=sr:(*,mb:*,ex:*),://
setlocal commentstring=(*\ %s\ *)
setlocal expandtab shiftwidth=2 softtabstop=2
setlocal formatoptions-=t formatoptions+=croql
" The program `polycube` can be in another place.
let &l:makeprg = get(g:, 'polycube_path', 'polycube') . ' check %'
setlocal errorformat=%Eerror[%*[^]]]:\ %m,%Wwarning[%*[^]]]:\ %m,%C\ %#-->\ %f:%l:%c,%-G%.%#

let b:undo_ftplugin = 'setlocal comments< commentstring< expandtab< shiftwidth< softtabstop< formatoptions< makeprg< errorformat<'
