export { createAgentTools, type AgentToolsOptions } from './agentTools.js';
export { backendHost, type BackendEnvironment } from './backendHost.js';
export { callWindows } from './callWindows.js';
export { toolDefinition, toolDefinitions } from './definitions.js';
export type {
  AgentEnvironment,
  AgentHost,
  AgentStart,
  Attention,
  Controller,
  FoundSession,
  HostedProcess,
} from './host.js';
export type { SessionLimits } from './session/agentSessions.js';
export type { Agent, AgentTools, ToolCaller, ToolDefinition, ToolName, ToolReply } from './tool.js';
export { unifiedExecDefinition, unifiedExecTools } from './unifiedExec/index.js';
