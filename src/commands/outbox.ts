import { command, commands, rows } from './command.ts';

/** Queued changes and mails. The view appears with the first one. */
export const outboxCommands = commands({
	'forge.outbox.open': command('Open', 'go-to-file', 'never', {
		rows: [[rows('outbox'), '1_open@1']],
	}),
	'forge.outbox.sendNow': command('Send Outbox Now', 'send', 'never', {
		titles: [['outbox', 'navigation@1']],
	}),
	'forge.outbox.sendAnyway': command('Send Anyway', 'send', 'never', {
		rows: [[rows('outbox.stopped'), 'inline@1', '2_queue@1']],
	}),
	'forge.outbox.edit': command('Edit as Draft', 'edit', 'never', {
		rows: [[rows('outbox', 'text'), 'inline@2', '2_queue@2']],
	}),
	'forge.outbox.withdraw': command('Withdraw…', 'trash', 'never', {
		rows: [[rows('outbox'), 'inline@3', '2_queue@3']],
	}),
	'forge.outbox.reveal': command('Reveal File', 'folder-opened', 'never', {
		rows: [[rows('outboxFile'), 'inline@1', '1_open@1']],
	}),
	'forge.outbox.remove': command('Remove File…', 'trash', 'never', {
		rows: [[rows('outboxFile'), 'inline@2', '2_queue@1']],
	}),
});
