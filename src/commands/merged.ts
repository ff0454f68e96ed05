import { commands, merged, rows } from './command.ts';
import { patchInFront, signedIn } from './when.ts';

/** Commands that act on the active page or view, and commands that ask for a choice. */
export const mergedCommands = commands({
	'forge.openRow': merged(
		'Open',
		'',
		'never',
		{
			in: { inbox: 'forge.inbox.open', repositories: 'forge.repositories.open', tickets: 'forge.tickets.open' },
			otherwise: 'forge.goTo',
		},
		{
			help: 'in the inbox the event, message, patchset or push, and marks it as read; of a thing the oldest unread entry',
			keys: { o: ['inbox', 'tickets', 'repositories'] },
		},
	),
	'forge.next': merged(
		'Next',
		'arrow-down',
		signedIn,
		{
			in: {
				tickets: 'forge.tickets.next',
				ticket: 'forge.tickets.next',
				lists: 'forge.patchsets.next',
				patchset: 'forge.patchsets.next',
				thread: 'forge.lists.nextMail',
				diff: 'forge.comments.next',
			},
			otherwise: 'forge.tickets.next',
		},
		{
			help: 'ticket or patchset as the view shows them; in a thread the next message, in a diff the next comment of the series',
			keys: { n: ['tickets', 'ticket', 'lists', 'patchset', 'thread', 'diff'] },
		},
	),
	'forge.previous': merged(
		'Previous',
		'arrow-up',
		signedIn,
		{
			in: {
				tickets: 'forge.tickets.previous',
				ticket: 'forge.tickets.previous',
				lists: 'forge.patchsets.previous',
				patchset: 'forge.patchsets.previous',
				thread: 'forge.lists.previousMail',
				diff: 'forge.comments.previous',
			},
			otherwise: 'forge.tickets.previous',
		},
		{ keys: { p: ['tickets', 'ticket', 'lists', 'patchset', 'thread', 'diff'] } },
	),
	'forge.nextUnread': merged(
		'Next Unread',
		'arrow-down',
		signedIn,
		{
			in: {
				tickets: 'forge.tickets.nextUnread',
				ticket: 'forge.tickets.nextUnread',
				lists: 'forge.lists.nextUnread',
				patchset: 'forge.lists.nextUnread',
				thread: 'forge.lists.nextUnread',
				diff: 'forge.comments.nextUnanswered',
			},
			otherwise: 'forge.tickets.nextUnread',
		},
		{
			help: 'in the list of what is in front, and after the last the first; in a diff the next question that no one else has answered',
			keys: { 'shift+n': ['tickets', 'ticket', 'lists', 'patchset', 'thread', 'diff'] },
		},
	),
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
	'forge.refresh': merged('Refresh', 'refresh', signedIn, {
		in: { inbox: 'forge.inbox.refresh' },
		otherwise: 'forge.view.refresh',
	}),
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
	'forge.filter': merged(
		'Filter…',
		'filter',
		signedIn,
		{
			in: { tickets: 'forge.filters.apply', lists: 'forge.lists.filter' },
			choices: [
				'forge.filters.apply',
				'forge.filters.clear',
				'forge.filters.save',
				'forge.filters.edit',
				'forge.filters.delete',
				'forge.lists.filter',
				'forge.lists.clearFilter',
			],
		},
		{ keys: { f: ['tickets', 'lists'] } },
	),
	'forge.follow': merged('Follow…', 'eye', signedIn, {
		choices: ['forge.trackers.follow', 'forge.lists.follow', 'forge.repositories.follow', 'forge.lists.subscribe'],
	}),
	'forge.create': merged('Create…', 'add', signedIn, {
		choices: ['forge.trackers.create', 'forge.lists.create', 'forge.repositories.create'],
	}),
	'forge.webhooks.manage': merged('Webhooks…', '', signedIn, {
		choices: [
			'forge.webhooks.receive',
			'forge.webhooks.show',
			'forge.webhooks.check',
			'forge.webhooks.test',
			'forge.webhooks.pushMessages',
			'forge.webhooks.stop',
			'forge.webhooks.removeAll',
		],
	}),
	'forge.ofFolder': merged('Open Tracker or List of This Folder…', 'folder-library', signedIn, {
		choices: ['forge.repositories.openTracker', 'forge.repositories.openList'],
	}),
	'forge.mine': merged('Show My Patchsets and Messages…', 'account', signedIn, {
		choices: ['forge.patchsets.mine', 'forge.people.myMails', 'forge.submit.preview'],
	}),
	'forge.copyReference': merged('Copy Reference…', 'copy', signedIn, {
		in: {
			tickets: 'forge.tickets.copyReference',
			ticket: 'forge.tickets.copyReference',
			patchset: 'forge.lists.copyMessageId',
			thread: 'forge.lists.copyMessageId',
		},
		choices: [
			'forge.tickets.copyReference',
			'forge.lists.copyMessageId',
			'forge.copyEditorLink',
			'forge.patchsets.copyCommand',
			'forge.repositories.copyCloneAddress',
		],
	}),
	'forge.review.manage': merged('Review…', 'comment-draft', patchInFront, {
		choices: [
			'forge.review.comment',
			'forge.review.setTrailer',
			'forge.review.setStatus',
			'forge.review.preview',
			'forge.review.editMail',
			'forge.review.send',
			'forge.review.discard',
		],
	}),
	'forge.submitForm': merged(
		'Submit',
		'',
		'never',
		{
			in: { newTicket: 'forge.tickets.submit', description: 'forge.trackers.saveDescription' },
			otherwise: 'forge.tickets.submit',
		},
		{ keys: { 'ctrl+enter': ['newTicket', 'description'] } },
	),
});
