import { commands, merged, notDone, rows } from './command.ts';
import { inboxPlaces, inInbox } from './inbox.ts';
import { signedIn } from './when.ts';

/** Status and read marks of the selected rows or the active page, in any area. */
export const triageCommands = commands({
	'forge.undo': merged(
		'Undo Last Change',
		'discard',
		signedIn,
		{
			in: {
				inbox: 'forge.inbox.undo',
				tickets: 'forge.tickets.undo',
				ticket: 'forge.tickets.undo',
				lists: 'forge.patchsets.undo',
				patchset: 'forge.patchsets.undo',
				thread: 'forge.patchsets.undo',
				repository: 'forge.inbox.undo',
				commit: 'forge.inbox.undo',
				diff: 'forge.inbox.undo',
			},
			choices: ['forge.tickets.undo', 'forge.patchsets.undo', 'forge.inbox.undo'],
		},
		{ keys: { u: ['inbox', 'tickets', 'ticket', 'lists', 'patchset', 'thread', 'repository', 'commit', 'diff'] } },
	),
	'forge.snooze': merged(
		'Snooze Until…',
		'clock',
		signedIn,
		{
			in: {
				inbox: 'forge.inbox.snooze',
				ticket: 'forge.inbox.snooze',
				lists: 'forge.patchsets.snooze',
				patchset: 'forge.patchsets.snooze',
				thread: 'forge.patchsets.snooze',
				repository: 'forge.inbox.snooze',
				commit: 'forge.inbox.snooze',
				diff: 'forge.inbox.snooze',
			},
			choices: ['forge.inbox.snooze', 'forge.patchsets.snooze'],
		},
		{
			rows: [
				[rows(notDone), '3_mute@0'],
				[rows('patchset', '-snoozed'), 'more/1@3'],
			],
			menus: { 'editor/title': [[inInbox, '4_inbox@2']] },
			help: 'takes it out until then, or until something new waits for you; a patchset without a row in the Inbox leaves its group on the board',
			keys: { 'shift+w': [...inboxPlaces, 'lists'] },
			leavesPage: true,
		},
	),
	'forge.setStatus': merged(
		'Set Status…',
		'tag',
		signedIn,
		{
			in: {
				tickets: 'forge.tickets.setStatus',
				ticket: 'forge.tickets.setStatus',
				lists: 'forge.patchsets.setStatus',
				patchset: 'forge.patchsets.setStatus',
				thread: 'forge.patchsets.setStatus',
			},
			choices: ['forge.tickets.setStatus', 'forge.patchsets.setStatus'],
		},
		{
			rows: [
				[rows('ticket', '-noTriage'), '1_work@4'],
				[rows('patchset'), 'inline@1', '1_work@1'],
			],
			keys: { s: ['tickets', 'ticket', 'lists', 'patchset', 'thread'] },
		},
	),
	'forge.markRead': merged(
		'Mark as Read',
		'mail-read',
		signedIn,
		{
			in: {
				inbox: 'forge.inbox.markRead',
				tickets: 'forge.tickets.markRead',
				ticket: 'forge.tickets.markRead',
				lists: 'forge.lists.markRead',
				patchset: 'forge.lists.markRead',
				thread: 'forge.lists.markRead',
			},
			choices: ['forge.tickets.markRead', 'forge.lists.markRead', 'forge.inbox.markRead'],
		},
		{
			rows: [
				[rows(['inbox.thing.unread', 'inbox.entry.unread']), 'inline@1', '2_read@1'],
				[rows(['ticket', 'patchset', 'mail.thread'], 'unread'), '2_read@1'],
			],
			keys: { m: ['inbox', 'tickets', 'ticket', 'lists', 'patchset', 'thread'] },
		},
	),
	'forge.markUnread': merged(
		'Mark as Unread',
		'mail',
		signedIn,
		{
			in: {
				inbox: 'forge.inbox.markUnread',
				tickets: 'forge.tickets.markUnread',
				ticket: 'forge.tickets.markUnread',
				lists: 'forge.lists.markUnread',
				patchset: 'forge.lists.markUnread',
				thread: 'forge.lists.markUnread',
			},
			choices: ['forge.tickets.markUnread', 'forge.lists.markUnread', 'forge.inbox.markUnread'],
		},
		{
			rows: [
				[rows(['inbox.thing.read', 'inbox.entry.read']), '2_read@1'],
				[rows(['ticket', 'patchset', 'mail.thread'], '-unread'), '2_read@1'],
			],
			keys: { 'shift+m': ['inbox', 'tickets', 'ticket', 'lists', 'patchset', 'thread'] },
		},
	),
	'forge.markAllRead': merged('Mark All as Read…', 'check-all', signedIn, {
		choices: ['forge.inbox.markAllRead', 'forge.trackers.markAllRead', 'forge.lists.markAllRead'],
	}),
});
