import type { Fault } from '../fault.ts';
import { inRoom } from './inRoom.ts';

export const inboxFaults: readonly Fault[] = [
	...inRoom('features/inbox', [
		{
			name: 'inbox-opens-newest',
			kind: 'order',
			file: 'inboxThings.ts',
			text: 'items.findLast(',
			replacement: 'items.find(',
			harm: 'a thing opens at its newest event, and what came before that is read unseen',
		},
		{
			name: 'inbox-reads-done',
			kind: 'guard',
			file: 'inboxCommands.ts',
			text: "moveItems(connection, connection.inbox.items(), ['unread'], 'read');",
			replacement: "moveItems(connection, connection.inbox.items(), ['unread', 'done'], 'read');",
			harm: 'what was put away comes back when everything is marked as read',
		},
		{
			name: 'inbox-event-lost',
			kind: 'field',
			file: 'openPlace.ts',
			text: "return 'eventId' in event ? event.eventId : undefined;",
			replacement: 'return undefined;',
			harm: 'a ticket opens at its top and not at what happened',
		},
		{
			name: 'inbox-old-notices',
			kind: 'guard',
			file: 'inboxNotices.ts',
			text: 'entry.atMs >= openedAtMs && ',
			replacement: '',
			harm: 'opening a window in the morning notifies of the whole night',
		},
		{
			name: 'inbox-notices-of-read',
			kind: 'guard',
			file: 'inboxNotices.ts',
			text: 'waiting.filter(isStillUnread)',
			replacement: 'waiting',
			harm: 'what was muted or read a second ago is notified of nevertheless',
		},
		{
			name: 'inbox-hidden-names',
			kind: 'guard',
			file: 'eventSentence.ts',
			text: 'return shortLine(name, longestName);',
			replacement: 'return name;',
			harm: 'a name with hidden characters looks like somebody else',
		},
		{
			name: 'inbox-first-account',
			kind: 'account',
			file: 'inboxCounts.ts',
			text: 'connections.all().reduce(',
			replacement: 'connections.all().slice(0, 1).reduce(',
			harm: 'with two accounts, what is unread of the second is counted nowhere',
		},
	]),
];
