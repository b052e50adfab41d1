autocmd BufNewFile,BufRead *.cub setfiletype cubicle
