import * as vscode from 'vscode';
import { refText, type NamedRef } from '../../forge/namedRef.ts';
import type { Connection, Connections } from '../../state/connection.ts';
import { visibleLine } from '../../text/visible.ts';
import { askFor, cancelled, choose, type Choice } from '../ask/ask.ts';
import { askConnection, offer } from '../ask/askConnection.ts';
import { notify } from '../ask/notify.ts';
import { connectionOf, type NamedSubject } from '../commands/subjects.ts';
import { ownNames } from './newOwned.ts';
import type { OwnedKind, OwnedName } from './ownedKind.ts';

/** Asks for an account, or takes the only one. */
export function askAccount({ texts }: Pick<OwnedKind, 'texts'>, connections: Connections): Promise<Connection> {
	return askConnection(connections, texts.notSignedIn());
}

/** Something that the account owns: the row that a command was used on, else the answer to a question. */
export async function ownMeant<K extends OwnedName>(
	kind: OwnedKind<K>,
	connections: Connections,
	subject: unknown,
	signal: AbortSignal,
): Promise<NamedSubject<K>> {
	const given = kind.subjectOf(subject);
	if (!given) {
		return askOwn(kind, await askAccount(kind, connections), signal);
	}
	if (given.ref.owner !== connectionOf(connections, given).me) {
		void notify('warning', kind.texts.onlyOwner(visibleLine(given.ref.owner)));
		throw cancelled();
	}
	return given;
}

async function askOwn<K extends OwnedName>(
	kind: OwnedKind<K>,
	connection: Connection,
	signal: AbortSignal,
): Promise<NamedSubject<K>> {
	const names = await ownNames(kind, connection, signal);
	if (names.length === 0) {
		void notify('information', kind.texts.noneOwn());
		throw cancelled();
	}
	return choose(
		kind.texts.chooseOwn(),
		names.map((name) => ({
			label: visibleLine(name),
			iconPath: new vscode.ThemeIcon(kind.icon),
			value: { kind: kind.kind, connectionKey: connection.key, ref: { owner: connection.me, name } },
		})),
	);
}

/** Asks for one of those that an account is tied to; no question when there is only one. `none` is said where there is none. */
export async function askTied<K extends OwnedName>(
	kind: OwnedKind<K>,
	connections: Connections,
	none: string,
	signal: AbortSignal,
): Promise<NamedSubject<K>> {
	const { choices, isAll } = await tiedChoices(kind, connections, () => true, signal);
	const [only] = choices;
	if (!only) {
		return offerFollowing(kind, none);
	}
	return choices.length === 1 && isAll ? only.value : choose(kind.texts.choose(), choices);
}

/** Asks for one that is followed, also when there is only one: what takes something away asks. */
export async function askFollowed<K extends OwnedName>(
	kind: OwnedKind<K>,
	connections: Connections,
): Promise<NamedSubject<K>> {
	await requireAccount(kind, connections);
	const choices = connections
		.all()
		.flatMap((connection) => kind.followed(connection).map((ref) => choiceOf(kind, connection, ref)));
	return choices.length === 0 ? offerFollowing(kind, kind.texts.noneFollowed()) : choose(kind.texts.choose(), choices);
}

/** What can be chosen among. */
export interface TiedChoices<K extends OwnedName> {
	readonly choices: readonly Choice<NamedSubject<K>>[];
	/** False when some could not be asked for. */
	readonly isAll: boolean;
}

/** One account that cannot be asked hides nothing of the others; throws why when there is nothing at all. */
export async function tiedChoices<K extends OwnedName>(
	kind: OwnedKind<K>,
	connections: Connections,
	isWanted: (connection: Connection, ref: NamedRef) => boolean,
	signal: AbortSignal,
): Promise<TiedChoices<K>> {
	await requireAccount(kind, connections);
	const asked = await Promise.all(
		connections.all().map(async (connection) => {
			const { refs, failure } = await kind.tied(connection, signal);
			const wanted = refs.filter((ref) => isWanted(connection, ref));
			return { choices: wanted.map((ref) => choiceOf(kind, connection, ref)), failure };
		}),
	);
	signal.throwIfAborted();
	const choices = asked.flatMap((each) => each.choices);
	const failure = asked.find((each) => each.failure)?.failure;
	if (choices.length === 0 && failure) {
		throw failure.error;
	}
	return { choices, isAll: failure === undefined };
}

function choiceOf<K extends OwnedName>(
	kind: OwnedKind<K>,
	connection: Connection,
	ref: NamedRef,
): Choice<NamedSubject<K>> {
	const note = kind.note?.(connection, ref);
	return {
		label: visibleLine(refText(ref)),
		description: [visibleLine(connection.instance.name), ...(note === undefined ? [] : [note])].join(' · '),
		iconPath: new vscode.ThemeIcon(kind.icon),
		value: { kind: kind.kind, connectionKey: connection.key, ref },
	};
}

/** Says why there is nothing to choose among, and offers to follow one. */
export async function offerFollowing({ texts, commands }: OwnedKind, why: string): Promise<never> {
	await offer(why, { label: texts.followAny(), command: commands.follow });
	throw cancelled();
}

async function requireAccount(kind: OwnedKind, connections: Connections): Promise<void> {
	if (connections.all().length === 0) {
		await askAccount(kind, connections);
	}
}

/** Asks for any on a forge, by its name or its address. */
export async function askByName(kind: OwnedKind, title: string, { instance }: Connection): Promise<NamedRef> {
	const origin = instance.areas[kind.area];
	const answer = await askFor({
		title,
		prompt: kind.texts.reference(),
		placeHolder: '~owner/name',
		complaint: (value) =>
			kind.pasted(value, origin)
				? undefined
				: vscode.l10n.t('Write ~owner/name, or paste an address that begins with {0}.', origin),
	});
	const ref = kind.pasted(answer, origin);
	if (!ref) {
		throw cancelled();
	}
	return ref;
}
