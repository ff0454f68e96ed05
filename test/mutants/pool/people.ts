import type { Fault } from '../fault.ts';
import { inRoom } from './inRoom.ts';

export const peopleFaults: readonly Fault[] = [
	...inRoom('features/people', [
		{
			name: 'sent-by-others',
			kind: 'operator',
			file: 'personReading.ts',
			text: 'if (isOneself(connection, name, connection.people.known(name))) {',
			replacement: 'if (!isOneself(connection, name, connection.people.known(name))) {',
			harm: "replies are read for strangers and not for one's own patchsets",
		},
		{
			name: 'more-of-other',
			kind: 'field',
			file: 'personReading.ts',
			text: 'connection.people.more(name, section, signal)',
			replacement: 'connection.people.more(connection.me, section, signal)',
			harm: "Show More on a page of somebody shows one's own things",
		},
		{
			name: 'name-in-brackets',
			kind: 'operator',
			file: 'writtenName.ts',
			text: '(inBrackets ?? written)',
			replacement: 'written',
			harm: 'a person pasted as Name <address> is not found',
		},
		{
			name: 'written-other-account',
			kind: 'account',
			file: 'personTarget.ts',
			text: 'for (const { key, instance } of told ? [told] : connections.all()) {',
			replacement: 'for (const { key, instance } of connections.all()) {',
			harm: 'with two accounts, a name on a page of the second opens at the first',
		},
		{
			name: 'walk-not-ended',
			kind: 'guard',
			file: 'personReading.ts',
			text: 'walk?.abort();',
			replacement: '',
			harm: 'each Refresh of a person adds another walk over the conversations',
		},
	]),
];
