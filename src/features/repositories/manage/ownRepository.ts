import * as vscode from 'vscode';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import { repositoryKind } from '../subjects/repositoryKind.ts';
import { ownNames } from '../../../editor/owned/newOwned.ts';
import { askAccount } from '../questions/repositoryQuestions.ts';
import { repositoriesSubject, type RepositorySubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';

/** A repository that the account owns: the row that a command was used on, else the answer to a question. */
export async function ownRepository(
	connections: Connections,
	subject: unknown,
	signal: AbortSignal,
): Promise<RepositorySubject> {
	const given = repositoriesSubject(subject);
	if (!given) {
		return askOwn(await askAccount(connections), signal);
	}
	const { connectionKey, ref } = given;
	if (ref.owner !== connectionOf(connections, given).me) {
		void notify('warning', vscode.l10n.t('Only {0}, who owns this repository, can do this.', shownName(ref.owner)));
		throw cancelled();
	}
	return { kind: 'repository', connectionKey, ref };
}

async function askOwn(connection: Connection, signal: AbortSignal): Promise<RepositorySubject> {
	const { key, me } = connection;
	const names = await ownNames(repositoryKind, connection, signal);
	if (names.length === 0) {
		void notify('information', vscode.l10n.t("You don't own a repository."));
		throw cancelled();
	}
	return choose(
		vscode.l10n.t('Choose one of your repositories'),
		names.map((name) => ({
			label: shownName(name),
			iconPath: new vscode.ThemeIcon('repo'),
			value: { kind: 'repository', connectionKey: key, ref: { owner: me, name } } as const,
		})),
	);
}
