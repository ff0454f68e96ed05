import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import { accountName, type Connection, type Connections } from '../../store/connection.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { runningCommand } from '../commands/runner.ts';
import { askFor, cancelled, choose, type Choice } from '../ask/ask.ts';
import { asTyped, chooseOrType } from '../ask/chooseOrType.ts';
import { askConnection, offer } from '../ask/askConnection.ts';
import { confirmTyped } from '../ask/confirmTyped.ts';
import { notify, tellBriefly } from '../ask/notify.ts';
import { explain } from '../ask/problems.ts';
import { withProgress } from '../ask/progress.ts';
import { connectionOf, type NamedSubject } from '../commands/subjects.ts';
import { ownNames } from './newOwned.ts';
import { ownerSearchOf, type OwnedKind, type OwnedName, type OwnerSearch } from './ownedKind.ts';
import { originOf } from 'sourcehut/port/instance.ts';

/** Asks for an account, or takes the only one. */
export function askAccount({ texts }: OwnedKind, connections: Connections): Promise<Connection> {
	return askConnection(connections, texts.notSignedIn());
}

/** An own thing: the command's row, or one that the user chooses. */
export async function ownTarget<K extends OwnedName>(
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

async function askOwn<K extends OwnedName>(kind: OwnedKind<K>, connection: Connection, signal: AbortSignal) {
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

/** A choice among an account's own and followed things. */
export interface TiedQuestion<K extends OwnedName> {
	/** Filter; absent for all. */
	readonly isWanted?: (connection: Connection, ref: NamedRef) => boolean;
	/** True to take the only one without a question. */
	readonly isOnlyTaken: boolean;
	/** Result without any candidates. */
	readonly none: () => Promise<NamedSubject<K>>;
	/** A last row; receives the typed text. */
	readonly another?: Choice<(typed: string) => Promise<NamedSubject<K>>>;
}

/**
 * Asks for one of the accounts' own and followed things. A failing account must not hide the others: its row shows the
 * reason and offers the next step. Throws the error if no other account can have any.
 */
export async function askTied<K extends OwnedName>(
	kind: OwnedKind<K>,
	connections: Connections,
	question: TiedQuestion<K>,
	signal: AbortSignal,
): Promise<NamedSubject<K>> {
	await requireAccount(kind, connections);
	const all = connections.all();
	const asked = await Promise.all(
		all.map(async (connection) => ({ connection, ...(await kind.tied(connection, signal)) })),
	);
	signal.throwIfAborted();
	const { isWanted = () => true, isOnlyTaken, none, another } = question;
	const choices = asked.flatMap(({ connection, refs }) =>
		refs.filter((ref) => isWanted(connection, ref)).map((ref) => choiceOf(kind, connection, ref)),
	);
	const failed = asked.flatMap(({ connection, failure }) => (failure ? [{ connection, error: failure.error }] : []));
	const [only] = choices;
	if (!only && failed[0] && all.length === 1) {
		throw failed[0].error;
	}
	if (failed.length === 0 && (!only || (isOnlyTaken && choices.length === 1))) {
		return only ? only.value : none();
	}
	const again = (): Promise<NamedSubject<K>> => askTied(kind, connections, question, signal);
	const rows = choices.map((choice) => ({ ...choice, value: () => Promise.resolve(choice.value) }));
	const failures = failed.map(({ connection, error }) => failureChoice(kind, connection, error, again));
	if (!another) {
		return (await choose(kind.texts.choose(runningCommand()), [...rows, ...failures]))();
	}
	// If no row matches the text, Enter takes the first permanent row.
	const { value, typed } = await chooseOrType(
		{
			title: kind.texts.choose(runningCommand()),
			choices: [...rows, another, ...failures],
			exact: (text) => {
				const isNamed = all.some(({ instance }) => kind.pasted(text, instance) !== undefined);
				return isNamed
					? asTyped(rows, text, { iconPath: new vscode.ThemeIcon(kind.icon), value: another.value })
					: undefined;
			},
		},
		signal,
	);
	return value(typed);
}

/** Says that an account's own are missing and why; choosing it is the next step. */
function failureChoice<T>({ texts }: OwnedKind, connection: Connection, error: unknown, again: () => Promise<T>) {
	const { message, action } = explain(error);
	// A retry comes before a search for the cause.
	const step = action?.command === 'showLog' || action?.command === 'forge.checkConnection' ? undefined : action;
	return {
		label: step?.label ?? vscode.l10n.t('Try Again'),
		description: visibleLine(connection.instance.name),
		detail: texts.someMissing(visibleLine(accountName(connection)), message),
		iconPath: new vscode.ThemeIcon('warning'),
		alwaysShow: true,
		value: step
			? async () => {
					await vscode.commands.executeCommand(step.command);
					throw cancelled();
				}
			: again,
	};
}

function choiceOf<K extends OwnedName>(kind: OwnedKind<K>, connection: Connection, ref: NamedRef) {
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

/**
 * Asks for a thing by name or address. A bare owner leads to a choice among the owner's things; if there are none, the
 * input returns.
 */
export async function askByName(
	kind: OwnedKind,
	title: string,
	/** Earlier input. */
	typed: string,
	connection: Connection,
	signal: AbortSignal,
): Promise<NamedRef> {
	const { instance } = connection;
	const { archiveUrl } = instance;
	const origin = archiveUrl ?? originOf(instance, kind.area);
	const example = archiveUrl === undefined ? '~owner/name' : `${new URL(archiveUrl).host}/name`;
	let before: { readonly title: string; readonly typed?: string; readonly value?: string } = { title, typed };
	for (;;) {
		const answer = await askFor({
			...before,
			prompt: archiveUrl === undefined ? kind.texts.reference() : vscode.l10n.t('Its reference or its URL'),
			placeHolder: example,
			complaint: (text) =>
				kind.pasted(text, instance) || ownerSearchOf(text, origin) || kind.elsewhere?.(text)
					? undefined
					: vscode.l10n.t('Write {0}, or paste a URL that begins with {1}.', example, origin),
		});
		const search = ownerSearchOf(answer, origin);
		const ref = search ? undefined : kind.pasted(answer, instance);
		if (ref) {
			return ref;
		}
		if (!search) {
			await kind.elsewhere?.(answer)?.();
			throw cancelled();
		}
		const found = await foundOf(kind, search, connection, signal);
		if (typeof found !== 'string') {
			const { owner } = search;
			const ofOwner = kind.texts.ofOwner(visibleLine(owner));
			const incomplete = vscode.l10n.t('There are more. Write a word of the name behind {0}.', visibleLine(owner));
			const name = await choose(
				ofOwner,
				found.names.map((each) => ({
					label: visibleLine(each),
					iconPath: new vscode.ThemeIcon(kind.icon),
					value: each,
				})),
				found.isComplete ? ofOwner : incomplete,
			);
			return { owner, name };
		}
		before = { title: found, value: answer };
	}
}

/** At least one name, or the reason why there is none. */
async function foundOf(kind: OwnedKind, search: OwnerSearch, connection: Connection, signal: AbortSignal) {
	const owner = visibleLine(search.owner);
	try {
		const found = await withProgress(vscode.l10n.t('Searching for {0}…', owner), signal, (working) =>
			kind.ofOwner(connection, search, working),
		);
		return found.names.length > 0 ? found : kind.texts.noneOfOwner(owner, visibleLine(search.word));
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return explain(error).message;
	}
}

/** Follows the command's row, or somebody else's thing that the user names, after the forge confirms that it exists. */
export async function followOwned(
	kind: OwnedKind,
	connections: Connections,
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const given = kind.subjectOf(subject);
	const connection = given ? connectionOf(connections, given) : await askAccount(kind, connections);
	const wanted = given?.ref ?? (await askByName(kind, kind.texts.follow(), '', connection, signal));
	const name = visibleLine(refText(wanted));
	const { owner } = await withProgress(vscode.l10n.t('Searching for {0}…', name), signal, (working) =>
		kind.follow(connection, wanted, working),
	);
	if (owner === connection.me) {
		await offer(kind.texts.isOwn(name), { label: vscode.l10n.t('Show'), command: kind.commands.showView });
	}
}

/** Unfollows the command's row, or one that the user chooses. Returns it. */
export async function unfollowOwned<K extends OwnedName>(
	kind: OwnedKind<K>,
	connections: Connections,
	subject: unknown,
): Promise<NamedSubject<K>> {
	let followed = kind.subjectOf(subject);
	if (!followed) {
		await requireAccount(kind, connections);
		const choices = connections
			.all()
			.flatMap((connection) => kind.followed(connection).map((ref) => choiceOf(kind, connection, ref)));
		// Asks even if there is only one: removals always ask.
		followed =
			choices.length === 0
				? await offerFollowing(kind, kind.texts.noneFollowed())
				: await choose(kind.texts.choose(runningCommand()), choices);
	}
	await kind.unfollow(connectionOf(connections, followed), followed.ref);
	return followed;
}

/** Shows the consequences, asks for the typed name, and deletes an own thing. False if the forge doesn't support it. */
export async function deleteOwned(kind: OwnedKind, connection: Connection, ref: NamedRef, signal: AbortSignal) {
	const name = visibleLine(refText(ref));
	await confirmTyped({
		exact: refText(ref),
		name,
		deletes: kind.texts.deletes(),
		typeToDelete: kind.texts.typeToDelete(name),
	});
	const isGone = await withProgress(vscode.l10n.t('Deleting…'), signal, (working) =>
		kind.remove(connection, ref, working),
	);
	if (isGone) {
		tellBriefly(vscode.l10n.t('Deleted {0}', name));
	}
	return isGone;
}
