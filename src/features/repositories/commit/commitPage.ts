import * as vscode from 'vscode';
import { openLink } from '../../../editor/links/openLink.ts';
import type { PageContent } from '../../../editor/pages/pageHost.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { RepositoryRef } from '../../../forge/port/repository.ts';
import { handler, type Handlers } from '../../../pages/protocol/channel.ts';
import { commitAction, type CommitAction, type CommitProtocol } from '../../../pages/protocol/commitProtocol.ts';
import { clickedHref, personName, wholeNumber } from '../../../pages/protocol/pageValues.ts';
import { fromPage } from '../pages/fromPage.ts';
import type { CommitSubject } from '../subjects/subjects.ts';
import { webLink } from '../subjects/webLink.ts';
import { shownName } from '../subjects/words.ts';
import { OpenCommit, type CommitMaking } from './openCommit.ts';
import type { RepositoriesDesk } from '../parts/repositoriesDesk.ts';

/** The page of one commit; its id is a full one. */
export function commitPage(parts: RepositoriesDesk, subject: CommitSubject): PageContent<CommitProtocol> {
	return {
		type: 'forge.commit',
		key: `${subject.connectionKey} ${refText(subject.ref)} ${subject.id}`,
		title: vscode.l10n.t('Commit {0}', shownName(subject.id.slice(0, 7))),
		icon: 'git-commit',
		subject,
		script: 'commit.js',
		styles: ['page.css', 'mailText.css', 'files.css', 'commitPage.css'],
		keptOpenBy: ['openParent', 'follow'],
		connect(link) {
			const renamed = (ref: RepositoryRef): void => link.become(commitPage(parts, { ...subject, ref }));
			const making = { subject, link, renamed };
			const page = new OpenCommit(parts, making);
			return { handlers: pageHandlers(parts, page, making), start: page.pieces.open() };
		},
	};
}

/** Messages that the page may send. */
function pageHandlers(
	{ connections, problems }: RepositoriesDesk,
	page: OpenCommit,
	{ subject, link }: CommitMaking,
): Handlers<CommitProtocol> {
	const { connectionKey, ref, id } = subject;
	const { start, execute } = fromPage(problems);
	const openCommit = (parent: string): void =>
		execute('forge.repositories.openCommit', { kind: 'commit', connectionKey, ref, id: parent });

	async function run(action: CommitAction): Promise<void> {
		switch (action) {
			case 'openChanges':
				return execute('forge.repositories.openChanges', subject);
			case 'browse':
				return execute('forge.repositories.mount', { kind: 'reference', connectionKey, ref, revision: id });
			case 'openRepository':
				return execute('forge.repositories.open', { kind: 'repository', connectionKey, ref });
			case 'copyId':
				// Awaited, so that the page can confirm it.
				await vscode.env.clipboard.writeText(page.commit()?.id ?? id);
				return;
			case 'copyLink':
				return execute('forge.copyLink', subject);
			case 'openOnWeb':
				return execute('forge.openOnWeb', subject);
		}
	}

	return {
		...page.pieces.handlers,
		run: handler(commitAction, async (action) => {
			await run(action);
			return undefined;
		}),
		compareWith: handler(wholeNumber, async (parent) => {
			page.compareWith(parent);
			return undefined;
		}),
		openFile: handler(wholeNumber, async (key) => {
			const file = page.file(key);
			if (file) {
				execute('forge.repositories.openChange', { kind: 'change', connectionKey, ref, after: id, ...file });
			}
			return undefined;
		}),
		openParent: handler(wholeNumber, async (at) => {
			const parent = page.commit()?.parents[at];
			if (parent !== undefined) {
				openCommit(parent);
			}
			return undefined;
		}),
		openPerson: handler(personName, async (name) => {
			execute('forge.people.open', { kind: 'person', connectionKey, name });
			return undefined;
		}),
		follow: handler(clickedHref, async (href) => {
			const base = webLink(connections, subject) ?? page.pieces.connection().instance.areas.git;
			start(openLink(connections, { connectionKey, href, base }, link.signal));
			return undefined;
		}),
	};
}
