import { command, commands, rows, notDone } from './command.ts';
import { all, not, page, set, signedIn } from './when.ts';

/** A row of the Inbox is in front: its page or diff. */
export const inInbox = all(set('forge.inbox.inFront'), signedIn);

/** The view, and all that it opens. */
export const inboxPlaces = ['inbox', 'ticket', 'thread', 'patchset', 'repository', 'commit', 'diff'] as const;

export const inboxCommands = commands({
	'forge.inbox.open': command('Open', '', 'never', {
		rows: [[rows('inbox'), '1_open@1']],
	}),
	'forge.inbox.markRead': command('Mark as Read', 'mail-read', 'part'),
	'forge.inbox.markUnread': command('Mark as Unread', 'mail', 'part'),
	'forge.inbox.done': command('Mark as Done', 'check', signedIn, {
		rows: [[rows(notDone), 'inline@2', '2_read@2']],
		menus: { 'editor/title': [[inInbox, '4_inbox@1']] },
		help: 'takes it out of the Inbox; on a page that the Inbox opened, the page of the next row follows',
		keys: { e: inboxPlaces },
		leavesPage: true,
	}),
	'forge.inbox.moveBack': command('Move Back to Inbox', 'inbox', 'never', {
		rows: [
			[rows(['inbox.thing.done', 'inbox.entry.done']), 'inline@2', '2_read@2'],
			[rows(['inbox.thing.snoozed', 'inbox.entry.snoozed']), 'inline@1', '2_read@1'],
		],
	}),
	'forge.inbox.snooze': command('Snooze in Inbox…', 'clock', 'part'),
	'forge.inbox.undo': command('Undo Inbox Change', '', 'part'),
	'forge.inbox.mute': command('Mute', 'bell-slash', signedIn, {
		rows: [[rows('inbox', '-muted'), '3_mute@1']],
		menus: { 'editor/title': [[inInbox, '4_inbox@3']] },
		help: 'whatever happens to a muted thing is done at once',
		keys: { x: inboxPlaces },
		leavesPage: true,
	}),
	'forge.inbox.unmute': command('Unmute', 'bell', 'never', {
		rows: [[rows('inbox', 'muted'), '3_mute@1']],
		keys: { 'shift+x': inboxPlaces },
		leavesPage: true,
	}),
	'forge.inbox.watch': command('Watch…', 'bell-dot', signedIn, {
		rows: [
			[rows('inbox'), '3_mute@2'],
			[rows(['ticket', 'tracker', 'list', 'patchset', 'mail.thread', 'repository']), '8_follow@2'],
		],
		menus: { 'editor/title': [[all(page('ticket', 'thread', 'patchset', 'repository'), signedIn), '4_inbox@4']] },
	}),
	'forge.inbox.markAllRead': command('Mark All in Inbox as Read', 'check-all', 'never', {
		titles: [['inbox', 'navigation@1', signedIn]],
	}),
	'forge.inbox.refresh': command('Refresh Inbox', 'refresh', 'never', {
		titles: [['inbox', 'navigation@9', signedIn]],
	}),
	'forge.inbox.showDone': command('Show Done in Inbox', 'eye', 'never', {
		titles: [['inbox', 'navigation@2', all(signedIn, not(set('forge.inbox.doneShown')))]],
	}),
	'forge.inbox.hideDone': command('Hide Done in Inbox', 'eye-closed', 'never', {
		titles: [['inbox', 'navigation@2', all(signedIn, set('forge.inbox.doneShown'))]],
	}),
});
