import * as vscode from 'vscode';
import type { CommandTable } from '../../editor/commands/feature.ts';
import { pageRenderer } from '../../editor/pages/pageRenderer.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { connectionOf, isRecord } from '../../editor/commands/subjects.ts';
import { commitPage } from './commit/commitPage.ts';
import { referenceOf } from './questions/repositoryTarget.ts';
import { askCommit } from './questions/repositoryQuestions.ts';
import { repositoryPage } from './start/repositoryPage.ts';
import { repositoriesSubject, type CommitSubject } from './subjects/subjects.ts';
import { shownName } from './subjects/words.ts';
import type { RepositoryPagesParts } from './pages/pageParts.ts';

/** The pages of repositories and commits. */
export interface RepositoryPages {
	readonly commands: CommandTable;
	/** Fills a page after a reload; `state` is the page's stored state. */
	restorePage(type: 'forge.repository' | 'forge.commit', panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

/** The commands that open these pages. */
export function repositoryPages(parts: RepositoryPagesParts): RepositoryPages {
	const renderer = pageRenderer(parts.render);
	return {
		commands: {
			'forge.repositories.open': async (subject) => {
				const given = repositoriesSubject(subject);
				if (!given) {
					return vscode.commands.executeCommand('forge.goTo');
				}
				const repository = { kind: 'repository', connectionKey: given.connectionKey, ref: given.ref } as const;
				parts.pages.open(repositoryPage(parts, repository, renderer), 'taken');
			},
			'forge.repositories.openCommit': async (subject, signal) => {
				parts.pages.open(commitPage(parts, await commitOf(parts, subject, signal)), 'taken');
			},
		},
		async restorePage(type, panel, state) {
			const subject = repositoriesSubject(isRecord(state) ? state['subject'] : undefined);
			if (type === 'forge.repository' && subject?.kind === 'repository') {
				parts.pages.restore(panel, repositoryPage(parts, subject, renderer));
			} else if (type === 'forge.commit' && subject?.kind === 'commit') {
				parts.pages.restore(panel, commitPage(parts, subject));
			} else {
				panel.dispose();
			}
			await Promise.resolve();
		},
	};
}

/** A commit has one page under its full id. Confirm that it exists before the page opens. */
async function commitOf(parts: RepositoryPagesParts, subject: unknown, signal: AbortSignal): Promise<CommitSubject> {
	const given = repositoriesSubject(subject);
	const { connectionKey, ref, id } =
		given?.kind === 'commit' ? given : await askCommit(parts, await referenceOf(parts, subject, signal), signal);
	const { repositories } = connectionOf(parts.connections, { connectionKey });
	const commit = await withProgress(
		vscode.l10n.t('Loading commit {0}…', shownName(id.slice(0, 7))),
		signal,
		(working) => repositories.commit(ref, id, working),
	);
	return { kind: 'commit', connectionKey, ref, id: commit.id };
}
