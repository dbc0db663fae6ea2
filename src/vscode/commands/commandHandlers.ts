import type { CommandHandlers } from './commandIds.js';
import type { CommandContext } from './context.js';
import { agentCommands } from './agentCommands.js';
import { arrangeCommands } from './arrangeCommands.js';
import { cliCommands } from './cliCommands.js';
import { controlCommands } from './controlCommands.js';
import { diagnosticsCommands } from './diagnosticsCommands.js';
import { environmentCommands } from './environmentCommands.js';
import { inputCommands } from './inputCommands.js';
import { noticeCommands } from './noticeCommands.js';
import { keepCommands } from './keepCommands.js';
import { keepOutputCommands } from './keepOutputCommands.js';
import { outputCommands } from './outputCommands.js';
import { portCommands } from './portCommands.js';
import { receiptCommands } from './receiptCommands.js';
import { leftoverCommands } from './leftoverCommands.js';
import { removeCommands } from './removeCommands.js';
import { restartCommands } from './restartCommands.js';
import { splitCommands } from './splitCommands.js';
import { startCommands } from './startCommands.js';
import { stopCommands } from './stopCommands.js';
import { viewCommands } from './viewCommands.js';

export function commandHandlers(context: CommandContext): CommandHandlers {
  return {
    ...startCommands(context),
    ...splitCommands(context),
    ...environmentCommands(context),
    ...viewCommands(context),
    ...arrangeCommands(context),
    ...stopCommands(context),
    ...restartCommands(context),
    ...removeCommands(context),
    ...inputCommands(context),
    ...controlCommands(context),
    ...keepCommands(context),
    ...keepOutputCommands(context),
    ...agentCommands(context),
    ...cliCommands(context),
    ...outputCommands(context),
    ...portCommands(context),
    ...noticeCommands(context),
    ...receiptCommands(context),
    ...leftoverCommands(context),
    ...diagnosticsCommands(context),
  };
}
