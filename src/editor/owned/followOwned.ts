import * as vscode from 'vscode';
import { refText } from '../../forge/port/namedRef.ts';
import type { Connections } from '../../store/connection.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { offer } from '../ask/askConnection.ts';
import { withProgress } from '../ask/progress.ts';
import { connectionOf, type NamedSubject } from '../commands/subjects.ts';
import { askByName } from './askByName.ts';
import { askAccount, askFollowed } from './askOwned.ts';
import type { OwnedKind, OwnedName } from './ownedKind.ts';

/** Asks for somebody else's thing and follows it after the forge confirms that it exists. */
export async function followOwned(kind: OwnedKind, connections: Connections, signal: AbortSignal): Promise<void> {
	const connection = await askAccount(kind, connections);
	const wanted = await askByName(kind, { title: kind.texts.follow(), typed: '' }, connection, signal);
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
	const followed = kind.subjectOf(subject) ?? (await askFollowed(kind, connections));
	await kind.unfollow(connectionOf(connections, followed), followed.ref);
	return followed;
}
