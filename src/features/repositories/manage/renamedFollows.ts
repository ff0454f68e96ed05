import * as vscode from 'vscode';
import { notify } from '../../../editor/ask/notify.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { isSameRepository, type Repository, type RepositoryRef } from 'sourcehut/port/repository.ts';
import { applyNews } from '../../../store/applyNews.ts';
import type { Connection } from '../../../store/connection.ts';
import type { KeptNames } from '../../../store/shared/keptNames.ts';
import { shownName } from '../subjects/words.ts';

/** Keeps following a repository that somebody else renames: its number stays the same. */
export type RenamedFollows = ReturnType<typeof renamedFollows>;

/** `idsOf`: numbers of an account's followed repositories, each as `17 ~owner/name`. */
export function renamedFollows(idsOf: (connectionKey: string) => KeptNames) {
	function idOf({ key }: Connection, ref: RepositoryRef): number | undefined {
		const ending = ` ${refText(ref)}`;
		const line = idsOf(key)
			.all()
			.find((each) => each.endsWith(ending));
		return line === undefined ? undefined : Number.parseInt(line, 10);
	}

	/** Stores the id under this name and deletes ids of unfollowed names. */
	async function keep({ key, repositories }: Connection, ref: RepositoryRef, id: number): Promise<void> {
		const followed = new Set([...repositories.followed.all(), ref].map(refText));
		const name = refText(ref);
		const others = idsOf(key)
			.all()
			.filter((line) => {
				const other = line.slice(line.indexOf(' ') + 1);
				return other !== name && followed.has(other);
			});
		await idsOf(key).keep([...others, `${id} ${name}`]);
	}

	async function carryOver(connection: Connection, ref: RepositoryRef, signal: AbortSignal): Promise<boolean> {
		const id = isFollowed(connection, ref) ? idOf(connection, ref) : undefined;
		const found = id === undefined ? undefined : await connection.repositories.uncached.numbered(ref.owner, id, signal);
		if (!found || found.name === ref.name) {
			return false;
		}
		await followAs(connection, ref, found);
		return true;
	}

	/** Follows a repository under its current name and reports it. */
	async function followAs(connection: Connection, ref: RepositoryRef, found: Repository): Promise<void> {
		const to = { owner: found.owner?.canonicalName ?? ref.owner, name: found.name };
		applyNews(connection, { kind: 'repositoryRenamed', from: ref, repository: found });
		await keep(connection, to, found.id);
		void notify(
			'information',
			vscode.l10n.t(
				'{0} was renamed to {1}. You follow it under its new name.',
				shownName(refText(ref)),
				shownName(refText(to)),
			),
		);
	}

	return {
		/** Call for a repository that exists under its name. */
		async remember(connection: Connection, ref: RepositoryRef, signal: AbortSignal) {
			const known = idOf(connection, ref);
			// Another window's cache doesn't prove who owns the name now.
			if (
				connection.repositories.names.known(ref)?.referencesBefore() ??
				connection.repositories.metadata.before(ref)
			) {
				return;
			}
			// Request the id only once; later compare it when other requests return it.
			const isCompared = hasNewName(connection, ref) || connection.repositories.metadata.known(ref) !== undefined;
			if (!isFollowed(connection, ref) || (known !== undefined && !isCompared)) {
				return;
			}
			const found = await connection.repositories.metadata.get(ref, signal);
			const { id } = found;
			if (hasNewName(connection, ref) && (known ?? id) === id) {
				await followAs(connection, ref, found);
				return;
			}
			// A different repository may have taken the name; the followed one has moved then.
			if (known !== id && !(known !== undefined && (await carryOver(connection, ref, signal)))) {
				await keep(connection, ref, id);
			}
		},
		/** Call for a missing repository. True if it exists under another name, which then replaces the followed one. */
		carryOver,
	};
}

/** Some forges answer to the old name and return the new one. */
function hasNewName({ repositories }: Connection, ref: RepositoryRef): boolean {
	return !isSameRepository(repositories.uncached.nowCalled(ref), ref);
}

function isFollowed({ repositories }: Connection, { owner, name }: RepositoryRef): boolean {
	return repositories.followed.all().some((each) => each.owner === owner && each.name === name);
}
