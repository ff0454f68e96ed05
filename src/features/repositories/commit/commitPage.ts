import * as vscode from 'vscode';
import type { PageContent } from '../../../editor/pages/pageHost.ts';
import { followLink, openPerson, run } from '../../../editor/links/pageRequests.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { action, wholeNumber } from '../../../pages/protocol/pageProtocol.ts';
import { commitAction, type CommitProtocol } from '../../../pages/protocol/commitProtocol.ts';
import type { CommitSubject } from '../subjects/subjects.ts';
import { webLink } from '../subjects/webLink.ts';
import { shownName } from '../subjects/words.ts';
import { OpenCommit } from './openCommit.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';
import { originOf } from 'sourcehut/port/instance.ts';

/** The page of one commit; its id is a full one. */
export function commitPage(parts: RepositoriesContext, subject: CommitSubject): PageContent<CommitProtocol> {
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
			const page = new OpenCommit(parts, { subject, link, renamed });
			const { connectionKey, ref, id } = subject;
			return {
				handlers: {
					...page.pieces.handlers,
					run: action(commitAction, (wanted) => {
						switch (wanted) {
							case 'openChanges':
								return run('forge.repositories.openChanges', subject);
							case 'browse':
								return run('forge.repositories.mount', { kind: 'reference', connectionKey, ref, revision: id });
							case 'openRepository':
								return run('forge.repositories.open', { kind: 'repository', connectionKey, ref });
							case 'copyId':
								return vscode.env.clipboard.writeText(page.commit()?.id ?? id);
							case 'copyLink':
								return run('forge.copyLink', subject);
							case 'openOnWeb':
								return run('forge.openOnWeb', subject);
						}
					}),
					compareWith: action(wholeNumber, (parent) => page.compareWith(parent)),
					openFile: action(wholeNumber, (key) => {
						const file = page.file(key);
						return (
							file && run('forge.repositories.openChange', { kind: 'change', connectionKey, ref, after: id, ...file })
						);
					}),
					openParent: action(wholeNumber, (at) => {
						const parent = page.commit()?.parents[at];
						return parent && run('forge.repositories.openCommit', { kind: 'commit', connectionKey, ref, id: parent });
					}),
					openPerson: openPerson(connectionKey),
					follow: followLink(
						parts,
						connectionKey,
						() => webLink(parts.connections, subject) ?? originOf(page.pieces.connection().instance, 'git'),
						link.signal,
					),
				},
				start: page.pieces.open(),
			};
		},
	};
}
