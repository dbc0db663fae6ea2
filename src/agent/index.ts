export { createAgentTools } from './agentTools.js';
export { backendHost } from './backendHost.js';
export type {
  AgentEnvironment,
  AgentHost,
  AgentStart,
  Attention,
  Controller,
  FoundSession,
  HostedProcess,
} from './host.js';
export { callWindows } from './sharedProcess.js';
export type { Agent, AgentTools, ToolCaller, ToolDefinition, ToolReply, UnfinishedCall } from './tool.js';
export { unifiedExecTools } from './unifiedExec/index.js';
