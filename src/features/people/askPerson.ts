import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import { Disposables } from '../../base/lifecycle.ts';
import { askConnection } from '../../editor/ask/askConnection.ts';
import { nextAccepted } from '../../editor/ask/nextAccepted.ts';
import { peopleMet, type KnownPerson } from '../../editor/ask/peopleMet.ts';
import { withoutPictures } from '../../editor/ask/notify.ts';
import { oncePerForge, type Connection, type Connections } from '../../state/connection.ts';
import { visibleLine } from '../../text/visible.ts';
import type { PeopleParts } from './peopleParts.ts';
import type { PersonSubject } from './subjects.ts';
import { writtenName } from './writtenName.ts';

interface PersonRow extends vscode.QuickPickItem {
	readonly subject: PersonSubject;
}

/** Asks for an account, or takes the only one. */
export function askPeopleConnection(connections: Connections): Promise<Connection> {
	return askConnection(connections, vscode.l10n.t('You are not signed in. Sign in to see people.'));
}

/** Asks for a person: one met before, or a typed name or address. Throws an abort when the user closes the box. */
export async function askPerson(parts: PeopleParts, signal: AbortSignal): Promise<PersonSubject> {
	const { connections, problems } = parts;
	if (connections.all().length === 0) {
		await askPeopleConnection(connections);
	}
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<PersonRow>());
	const closing = new AbortController();
	owned.add({ dispose: () => closing.abort() });
	const stop = AbortSignal.any([signal, closing.signal]);
	let known: readonly PersonRow[] = [];

	function draw(): void {
		const typed = typedRows(box.value, connections);
		const text = box.value.trim().toLowerCase();
		// Known people need no extra row for the typed text.
		const isKnown = (row: PersonRow): boolean =>
			known.some((each) => nameOf(each) === nameOf(row) && each.subject.name.toLowerCase().includes(text));
		box.items = [...known, ...typed.filter((row) => !isKnown(row))];
	}

	box.title = vscode.l10n.t('Open a person');
	box.placeholder = vscode.l10n.t('Name, email address or URL');
	box.matchOnDescription = true;
	box.ignoreFocusOut = true;
	box.busy = true;
	owned.add(box.onDidChangeValue(draw));
	const met = connections.all().map(async (connection) => {
		const people = await peopleMet(connection, stop);
		known = [...known, ...people.map((person) => knownRow(connection, person, connections))];
		draw();
	});
	void Promise.allSettled(met).then((all) => {
		all.forEach((each) =>
			each.status === 'rejected' && !isAbort(each.reason) ? problems.log(each.reason) : undefined,
		);
		if (!stop.aborted) {
			box.busy = false;
		}
	});
	draw();
	box.show();
	for (;;) {
		const row = await nextAccepted(box, signal);
		if (row) {
			return row.subject;
		}
	}
}

function nameOf({ subject }: PersonRow): string {
	return `${subject.connectionKey} ${subject.name.toLowerCase()}`;
}

function knownRow(connection: Connection, { name, called }: KnownPerson, connections: Connections): PersonRow {
	const facts = [
		...(called === undefined ? [] : [visibleLine(called)]),
		...(name === connection.me ? [vscode.l10n.t('you')] : []),
		...(connections.all().length > 1 ? [connection.instance.name] : []),
	];
	return {
		label: withoutPictures(visibleLine(name)),
		description: withoutPictures(facts.join(' · ')),
		iconPath: new vscode.ThemeIcon(name.startsWith('~') ? 'person' : 'mail'),
		subject: { kind: 'person', connectionKey: connection.key, name },
	};
}

/** An unknown name needs a lookup on each signed-in forge, after the user chooses it. */
function typedRows(text: string, connections: Connections): readonly PersonRow[] {
	return oncePerForge(connections.all()).flatMap((connection) => {
		const name = writtenName(text, connection.instance);
		return name === undefined
			? []
			: [
					{
						label: withoutPictures(vscode.l10n.t('Find {0}', visibleLine(name))),
						description: connection.instance.name,
						iconPath: new vscode.ThemeIcon('search'),
						alwaysShow: true,
						subject: { kind: 'person', connectionKey: connection.key, name },
					},
				];
	});
}
