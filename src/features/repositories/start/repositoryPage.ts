import * as vscode from 'vscode';
import { openDestination } from '../../../editor/links/openDestination.ts';
import { openLink } from '../../../editor/links/openLink.ts';
import type { PageContent } from '../../../editor/pages/pageHost.ts';
import type { PageRenderer } from '../../../editor/pages/pageRenderer.ts';
import { run, withNotice } from '../../../editor/links/pageRequests.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { action, clickedHref, nothing, type Handlers } from '../../../pages/protocol/pageProtocol.ts';
import { repositoryAction, revisionName, type RepositoryProtocol } from '../../../pages/protocol/repositoryProtocol.ts';
import type { RepositorySubject } from '../subjects/subjects.ts';
import { webLink } from '../subjects/webLink.ts';
import { shownName } from '../subjects/words.ts';
import { cloneAddress } from '../clones/cloneAddresses.ts';
import { OpenRepository, type RepositoryMaking } from './openRepository.ts';
import { placeInTree } from './readmeFile.ts';
import { pushCommands } from './startViews.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';
import { originOf } from 'sourcehut/port/instance.ts';

/** The page that a repository starts with. */
export function repositoryPage(
	parts: RepositoriesContext,
	subject: RepositorySubject,
	renderer: PageRenderer,
): PageContent<RepositoryProtocol> {
	return {
		type: 'forge.repository',
		key: `${subject.connectionKey} ${refText(subject.ref)}`,
		title: shownName(subject.ref.name),
		icon: 'repo',
		subject,
		script: 'repository.js',
		styles: ['page.css', 'mailText.css', 'rows.css', 'repositoryPage.css'],
		keptOpenBy: ['follow'],
		connect(link) {
			const renamed = (ref: RepositoryRef): void => link.become(repositoryPage(parts, { ...subject, ref }, renderer));
			const making = { subject, link, renderer, renamed };
			const page = new OpenRepository(parts, making);
			return { handlers: pageHandlers(parts, page, making), start: page.pieces.open() };
		},
	};
}

/** Messages that the page may send. */
function pageHandlers(
	{ connections, problems }: RepositoriesContext,
	page: OpenRepository,
	{ subject, link }: RepositoryMaking,
): Handlers<RepositoryProtocol> {
	const { connectionKey, ref } = subject;

	async function follow(href: string): Promise<void> {
		const readme = page.readme();
		const base = readme ? page.place(readme).base : undefined;
		const place = base === undefined ? undefined : placeInTree(href, base);
		if (readme && place) {
			const at = { ref: readme.revision, path: place.path };
			return openDestination(page.pieces.connection(), { kind: 'file', ref, at, lines: place.lines }, link.signal);
		}
		const own = webLink(connections, subject) ?? originOf(page.pieces.connection().instance, 'git');
		return openLink(connections, { connectionKey, href, base: own }, link.signal);
	}

	const copy = (text: string): unknown => vscode.env.clipboard.writeText(text);

	return {
		...page.pieces.handlers,
		run: action(repositoryAction, (wanted) => {
			const { instance } = page.pieces.connection();
			switch (wanted) {
				case 'mount':
					return run('forge.repositories.mount', subject);
				case 'goToFile':
					return run('forge.repositories.openFile', {
						kind: 'reference',
						connectionKey,
						ref,
						revision: page.reading.revision(),
					});
				case 'clone':
					return run('forge.repositories.clone', subject);
				case 'compare':
					return run('forge.repositories.compare', subject);
				case 'openOwner':
					return run('forge.people.open', { kind: 'person', connectionKey, name: ref.owner });
				case 'openReadme': {
					const readme = page.readme();
					const at = readme && { ref: readme.revision, path: readme.name };
					return at && run('forge.repositories.openFile', { kind: 'file', connectionKey, ref, at });
				}
				case 'copyReference':
					return copy(refText(ref));
				case 'copyReadOnly':
					return copy(cloneAddress(instance, ref, 'https') ?? '');
				case 'copyReadWrite':
					return copy(cloneAddress(instance, ref, 'ssh') ?? '');
				case 'copyPush':
					return copy(pushCommands(instance, ref).join('\n'));
				case 'copyLink':
					return run('forge.copyLink', subject);
				case 'openOnWeb':
					return run('forge.openOnWeb', subject);
			}
		}),
		moreReferences: action(nothing, () => page.pieces.connection().repositories.references(ref).more(link.signal)),
		openCommit: action(revisionName, (id) =>
			run('forge.repositories.openCommit', { kind: 'commit', connectionKey, ref, id }),
		),
		openReference: action(revisionName, (revision) =>
			run('forge.repositories.mount', { kind: 'reference', connectionKey, ref, revision }),
		),
		follow: action(clickedHref, (href) => withNotice(problems, () => follow(href))),
	};
}
