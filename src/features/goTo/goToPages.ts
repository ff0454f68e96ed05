import * as v from 'valibot';
import * as vscode from 'vscode';
import type { GoToName, GoToThing } from '../../editor/links/goToThing.ts';
import type { RecentPage } from '../../editor/pages/pageHost.ts';
import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import type { Connection, Connections } from '../../store/connection.ts';

const connectionKey = v.string();
const ref = v.object({ owner: v.string(), name: v.string() });
const id = v.number();

/** Subjects of pages, and places of files. */
const pageSubject = v.variant('kind', [
	v.object({ kind: v.literal('ticket'), connectionKey, ref: v.object({ tracker: ref, id }) }),
	v.object({ kind: v.literal('patchset'), connectionKey, ref: v.object({ list: ref, id }) }),
	v.object({ kind: v.literal('mail'), connectionKey, list: ref, id }),
	v.object({ kind: v.literal('repository'), connectionKey, ref }),
	v.object({ kind: v.literal('entry'), connectionKey, ref }),
	v.object({ kind: v.literal('commit'), connectionKey, ref, id: v.string() }),
	v.object({ kind: v.literal('person'), connectionKey, name: v.string() }),
]);
type PageSubject = v.InferOutput<typeof pageSubject>;

/** The tracker or repository that a subject is in. `undefined` for other subjects. */
export function nameInFront(connections: Connections, subject: unknown): GoToName | undefined {
	const [read, connection] = readSubject(connections, subject) ?? [];
	if (!read || !connection) {
		return undefined;
	}
	switch (read.kind) {
		case 'ticket':
			return { connection, kind: 'tracker', ref: read.ref.tracker };
		case 'repository':
		case 'commit':
		case 'entry':
			return { connection, kind: 'repository', ref: read.ref };
		case 'patchset':
		case 'mail':
		case 'person':
			return undefined;
	}
}

/** A page that was in front, as a row. `undefined` after its account signed out. */
export function pageThing(connections: Connections, { subject, title, icon }: RecentPage): GoToThing | undefined {
	const [read, connection] = readSubject(connections, subject) ?? [];
	if (!read || !connection) {
		return undefined;
	}
	const { to, within } = placeOf(read);
	const text = [title, ...(within ? [refText(within)] : [])].map(visibleLine).join(' · ');
	return { connection, to, label: '', text, icon: new vscode.ThemeIcon(icon) };
}

/** `within`: tracker, list or repository. */
function placeOf(read: PageSubject): { readonly to: GoToThing['to']; readonly within?: NamedRef } {
	switch (read.kind) {
		case 'ticket':
			return { to: { kind: read.kind, ref: read.ref }, within: read.ref.tracker };
		case 'patchset':
			return { to: { kind: read.kind, ref: read.ref }, within: read.ref.list };
		case 'mail':
			return { to: { kind: 'thread', list: read.list, id: read.id }, within: read.list };
		case 'commit':
			return { to: { kind: read.kind, ref: read.ref, id: read.id }, within: read.ref };
		case 'repository':
		case 'entry':
			return { to: { kind: 'repository', ref: read.ref } };
		case 'person':
			return { to: { kind: read.kind, name: read.name } };
	}
}

function readSubject(
	connections: Connections,
	subject: unknown,
): readonly [subject: PageSubject, connection: Connection] | undefined {
	const read = v.safeParse(pageSubject, subject);
	const connection = read.success ? connections.byKey(read.output.connectionKey) : undefined;
	return read.success && connection ? [read.output, connection] : undefined;
}
