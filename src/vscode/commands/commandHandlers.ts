import type { CommandHandlers } from './commandIds.js';
import type { CommandContext } from './context.js';
import { agentCommands } from './agentCommands.js';
import { arrangeCommands } from './look/arrangeCommands.js';
import { cliCommands } from './cliCommands.js';
import { controlCommands } from './type/controlCommands.js';
import { diagnosticsCommands } from './diagnosticsCommands.js';
import { environmentCommands } from './places/environmentCommands.js';
import { inputCommands } from './type/inputCommands.js';
import { noticeCommands } from './look/noticeCommands.js';
import { keepCommands } from './stop/keepCommands.js';
import { keepOutputCommands } from './look/keepOutputCommands.js';
import { outputCommands } from './look/outputCommands.js';
import { portCommands } from './look/portCommands.js';
import { receiptCommands } from './look/receiptCommands.js';
import { leftoverCommands } from './stop/leftoverCommands.js';
import { removeCommands } from './stop/removeCommands.js';
import { restartCommands } from './start/restartCommands.js';
import { splitCommands } from './start/splitCommands.js';
import { startCommands } from './start/startCommands.js';
import { stopCommands } from './stop/stopCommands.js';
import { viewCommands } from './look/viewCommands.js';

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
