import { originOf, type ForgeInstance } from '../port/instance.ts';
import type { NamedRef } from '../port/namedRef.ts';
import type { WebAddresses, WebPage } from '../port/webAddresses.ts';
import { pastedList, pastedReference, pastedRepository, webDestination } from './readAddress.ts';
import { fragmentOfLines } from './repositoryWay.ts';

/** The website of SourceHut (docs/protocol.md#web-addresses). */
export function sourcehutWeb(instance: ForgeInstance): WebAddresses {
	const todo = originOf(instance, 'todo');
	const lists = originOf(instance, 'lists');
	const git = originOf(instance, 'git');
	return {
		address(page) {
			switch (page.kind) {
				case 'person':
					// Only the page in the area of lists exists for e-mail addresses.
					return `${originOf(instance, page.area ?? 'lists')}${userPath(page.name)}`;
				case 'tracker':
					return `${todo}${namePath(page.ref)}`;
				case 'labels':
					return `${todo}${namePath(page.ref)}/labels`;
				case 'ticket': {
					const fragment = page.event === undefined ? '' : `#event-${page.event}`;
					return `${todo}${ticketPath(page.ref.tracker, page.ref.id)}${fragment}`;
				}
				case 'editTicket':
					return `${todo}${ticketPath(page.ref.tracker, page.ref.id)}/edit`;
				case 'deleteTicket':
					return `${todo}${ticketPath(page.ref.tracker, page.ref.id)}/delete`;
				case 'editComment':
					return `${todo}${ticketPath(page.ref.tracker, page.ref.id)}/edit/${page.comment}`;
				case 'list':
					return `${lists}${namePath(page.ref)}`;
				case 'patchset':
					return `${lists}${namePath(page.ref.list)}/patches/${page.ref.id}`;
				case 'mail':
					return `${lists}${namePath(page.list)}/${encodeURIComponent(page.messageId.toWellFormed())}`;
				case 'repository':
				case 'reference':
				case 'folder':
				case 'file':
				case 'submodule':
				case 'artifact':
				case 'commit': {
					const path = repositoryPath(page);
					const fragment = page.kind === 'file' && page.lines ? `#${fragmentOfLines(page.lines)}` : '';
					// Names such as two dots change the path.
					return URL.parse(`${git}${path}`)?.pathname === path ? `${git}${path}${fragment}` : undefined;
				}
			}
		},
		destination: (url) => webDestination(url, instance),
		mailbox: (page) => `${page}/mbox`,
		remotes: ({ owner, name }) => ({
			// Encodes characters with a meaning in a shell.
			https: `${git}${userPath(owner)}${userPath(name).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`,
			// Unencoded because the server does not decode the path.
			ssh: `git@${URL.parse(git)?.hostname ?? ''}:${owner}/${name}`,
		}),
		pastedReference: (text) => pastedReference(text, todo),
		pastedList: (text) => pastedList(text, lists),
		pastedRepository: (text) => pastedRepository(text, git),
	};
}

type RepositoryPage = Extract<
	WebPage,
	{ kind: 'repository' | 'reference' | 'folder' | 'file' | 'submodule' | 'artifact' | 'commit' }
>;

function repositoryPath(page: RepositoryPage): string {
	const repository = `${segments(page.ref.owner)}${segments(page.ref.name)}`;
	switch (page.kind) {
		case 'repository':
			return repository;
		case 'reference':
			return page.revision === 'HEAD' ? repository : `${repository}/tree${segments(page.revision)}`;
		case 'folder':
		case 'file':
			return `${repository}/tree${segments(page.at.ref)}/item${segments(page.at.path)}`;
		case 'submodule': {
			// A submodule has no page of its own; its folder shows it.
			const folder = page.at.path.split('/').slice(0, -1).join('/');
			return `${repository}/tree${segments(page.at.ref)}${folder === '' ? '' : `/item${segments(folder)}`}`;
		}
		case 'artifact':
			return `${repository}/refs${segments(page.tag.replace(/^refs\/tags\//, ''))}`;
		case 'commit':
			return `${repository}/commit${segments(page.id)}`;
	}
}

/** Slashes stay: a revision may hold several segments on the web. */
function segments(text: string): string {
	return text
		.toWellFormed()
		.split('/')
		.map((each) => userPath(each))
		.join('');
}

/** Path of a user's page in any area. `~alice` → `/~alice`. */
export function userPath(owner: string): string {
	return `/${segment(owner)}`;
}

/** Path of a tracker or list. */
export function namePath({ owner, name }: NamedRef): string {
	return `${userPath(owner)}/${segment(name)}`;
}

/** Path of a ticket's page below the ticket area. */
export function ticketPath(tracker: NamedRef, id: number): string {
	return `${namePath(tracker)}/${id}`;
}

/** `~` and `@` stay readable; everything else that could change the path is encoded. */
function segment(name: string): string {
	if (/^[\w~-]+$/.test(name)) {
		return name;
	}
	return encodeURIComponent(name.toWellFormed())
		.replaceAll('%40', '@')
		.replaceAll(/^\.+$/g, (dots) => '%2E'.repeat(dots.length));
}
