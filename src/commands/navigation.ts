import { commands, merged } from './command.ts';
import { signedIn } from './when.ts';

/** From row to row and from page to page, in any area. */
export const navigationCommands = commands({
	'forge.openRow': merged(
		'Open',
		'',
		'never',
		{
			in: {
				inbox: 'forge.inbox.open',
				repositories: 'forge.repositories.open',
				tickets: 'forge.tickets.open',
				lists: 'forge.patchsets.open',
				thread: 'forge.patchsets.open',
				diff: 'forge.patchsets.open',
			},
			otherwise: 'forge.goTo',
		},
		{
			help: 'in the inbox the event, message, patchset or push, and marks it as read; of a thing the oldest unread entry; of a patch, diff or thread the page of its patchset',
			keys: { o: ['inbox', 'tickets', 'repositories', 'lists', 'thread', 'diff'] },
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
});
