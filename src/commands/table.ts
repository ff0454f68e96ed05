import { navigationCommands } from './navigation.ts';
import { triageCommands } from './triage.ts';
import { generalCommands } from './general.ts';
import { inboxCommands } from './inbox.ts';
import { outboxCommands } from './outbox.ts';
import { webhooksCommands } from './webhooks.ts';
import { ticketsCommands } from './tickets.ts';
import { trackersCommands } from './trackers.ts';
import { listsCommands } from './lists.ts';
import { patchsetsCommands } from './patchsets.ts';
import { repositoriesCommands } from './repositories.ts';
import { reviewCommands } from './review.ts';
import { applyCommands } from './apply.ts';

/** Every command of Forge Desk. `npm run manifest` writes package.json and the guides from it. */
export const commandTable = {
	...navigationCommands,
	...triageCommands,
	...generalCommands,
	...inboxCommands,
	...outboxCommands,
	...webhooksCommands,
	...ticketsCommands,
	...trackersCommands,
	...listsCommands,
	...patchsetsCommands,
	...repositoriesCommands,
	...reviewCommands,
	...applyCommands,
};
export type CommandId = keyof typeof commandTable;

export function isCommandId(id: string): id is CommandId {
	return Object.hasOwn(commandTable, id);
}
