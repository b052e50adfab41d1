-- Neovim and the language server. Arguments: POLYCUBE is the program, MODEL a model that is edited here.
-- What comes out is written to MODEL; words about what happened go to standard output.

local function say(...)
  io.stdout:write(table.concat({ ... }, " "), "\n")
end

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    say("waited in vain for " .. what)
    vim.cmd("cquit 1")
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function go_to(word)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search("\\C\\V" .. word, "cW") > 0, word)
end

vim.o.swapfile = false
vim.cmd("filetype plugin indent on | syntax on")
require("polycube").setup({ path = vim.env.POLYCUBE })
vim.cmd("edit " .. vim.env.MODEL)
say("file type", vim.bo.filetype)

-- A mistake is told, with its place in bytes, although the line has other letters before it.
wait("a mistake", function()
  return #vim.diagnostic.get(0) > 0
end)
local mistake = vim.diagnostic.get(0)[1]
say("line", mistake.lnum + 1, "column", mistake.col + 1, (mistake.message:gsub("\n.*", "")))

go_to("porc")
vim.cmd("normal! ciwproc")
wait("no mistake", function()
  return #vim.diagnostic.get(0) == 0
end)
say("no mistake")

-- A name is renamed.
go_to("Token = p")
vim.lsp.buf.rename("Baton")
wait("the new name", function()
  return text():find("Baton = p", 1, true) ~= nil
end)
say("renamed", select(2, text():gsub("Baton", "")), "uses")

-- The layout.
if vim.lsp.buf.format then
  vim.lsp.buf.format({ async = false, timeout_ms = 20000 })
else
  vim.lsp.buf.formatting_sync({}, 20000)
end
vim.cmd("write")
say("formatted")

-- A proof.
local model = vim.api.nvim_get_current_buf()
vim.cmd("PolycubeVerify")
wait("an answer", function()
  return vim.api.nvim_get_current_buf() ~= model
end)
say(vim.api.nvim_buf_get_lines(0, 0, 1, false)[1])
wait("the finding", function()
  return #vim.diagnostic.get(model) > 0
end)
say((vim.diagnostic.get(model)[1].message))

vim.cmd("qall!")
