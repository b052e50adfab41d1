-- Neovim, 0.7 or newer: starts `polycube lsp` for models. In init.lua:
--
--   require("polycube").setup()                                  -- or
--   require("polycube").setup({ path = "/somewhere/polycube" })

local M = {}

local options = { path = "polycube" }
local client_id

local function attach(buffer)
  local config = {
    name = "polycube",
    cmd = { options.path, "lsp" },
    root_dir = vim.fn.getcwd(),
    on_exit = function()
      client_id = nil
    end,
  }
  if vim.lsp.start then
    client_id = vim.lsp.start(config, { bufnr = buffer })
    return
  end
  -- Before 0.8.
  client_id = client_id or vim.lsp.start_client(config)
  if client_id then
    vim.lsp.buf_attach_client(buffer, client_id)
  end
end

-- Shows a report in a window of its own.
local function show(report)
  vim.cmd("new")
  vim.bo.buftype = "nofile"
  vim.bo.bufhidden = "wipe"
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(report, "\n"))
  vim.bo.modifiable = false
end

-- Has a command executed for the model in the current buffer.
local function execute(command, argument)
  local client = client_id and vim.lsp.get_client_by_id(client_id)
  if not client then
    vim.notify("polycube: no language server works on this buffer", vim.log.levels.ERROR)
    return
  end
  local params = { command = command, arguments = { argument } }
  local function done(error, answer)
    if error then
      vim.notify("polycube: " .. error.message, vim.log.levels.ERROR)
    -- A document was opened by the server.
    elseif answer.document == nil or answer.document == vim.NIL then
      show(answer.report)
    end
  end
  if vim.fn.has("nvim-0.11") == 1 then
    client:request("workspace/executeCommand", params, done, 0)
  else
    client.request("workspace/executeCommand", params, done, 0)
  end
end

function M.verify()
  execute("polycube.verify", vim.uri_from_bufnr(0))
end

-- With the number of processes that the server chooses, unless there is one.
function M.explore(processes)
  execute("polycube.explore", { uri = vim.uri_from_bufnr(0), processes = tonumber(processes) })
end

function M.setup(given)
  options = vim.tbl_extend("force", options, given or {})
  vim.api.nvim_create_autocmd("FileType", {
    pattern = "cubicle",
    callback = function(event)
      attach(event.buf)
    end,
  })
  vim.api.nvim_create_user_command("PolycubeVerify", M.verify, {})
  vim.api.nvim_create_user_command("PolycubeExplore", function(command)
    M.explore(command.args)
  end, { nargs = "?" })
end

return M
