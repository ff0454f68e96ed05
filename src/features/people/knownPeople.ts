import * as vscode from 'vscode';
import { peopleMet, type KnownPerson } from '../../editor/ask/peopleMet.ts';
import { destinationText } from '../../editor/links/destinationText.ts';
import type { GoToName, GoToThing } from '../../editor/links/goToThing.ts';
import { thingSource, type KnownThings } from '../../search/rankThings.ts';
import type { Connection } from '../../state/connection.ts';
import { visibleLine } from '../../text/visible.ts';
import type { PeopleParts } from './peopleParts.ts';

/** People for Go to…: senders, submitters, assignees and owners of known things. */
export function knownPeople({
	connections,
	problems,
}: Pick<PeopleParts, 'connections' | 'problems'>): KnownThings<GoToName, GoToThing> {
	let known: readonly { readonly connection: Connection; readonly person: KnownPerson }[] = [];
	return {
		names: () => [],
		sources: () => [
			thingSource(
				known,
				{ text: ({ person: { name, called } }) => `${name.replace(/^~/, '')} ${called ?? ''}`, atMs: () => Infinity },
				({ connection, person: { name, called } }): GoToThing => {
					const to = { kind: 'person', name } as const;
					const text = [destinationText(to), ...(called === undefined ? [] : [visibleLine(called)])].join(' · ');
					return { connection, to, label: '', text, icon: new vscode.ThemeIcon('person') };
				},
			),
		],
		learn(changed, signal) {
			for (const connection of connections.all()) {
				peopleMet(connection, signal).then((people) => {
					const met = people.map((person) => ({ connection, person }));
					known = [...known.filter((each) => each.connection !== connection), ...met];
					changed();
				}, problems.log);
			}
		},
	};
}
