import type { Answer, Call, OpenRoute } from '../shared/area.ts';
import { open, param } from '../shared/area.ts';
import { escapeHtml, linksPage, noPage, plainText, stamp, webPage } from '../shared/answers.ts';
import { firstCommits, follow, locate, peel, treeOf, type Located } from '../git/objectSource.ts';
import { modes } from '../git/gitObjects.ts';
import { type RepositoryRoom, mayRead, blobAnswer } from './repositoryRoom.ts';
import { addressOf, ownedPages } from '../shared/ownedPages.ts';
import type { Repository } from './repositoryStore.ts';
import { need } from '../shared/checks.ts';

type Page = (room: RepositoryRoom, repository: Repository, call: Call) => Promise<Answer>;

/** Plain web pages, for "open on the web". They show what anybody may see. */
export function repositoryPages(room: RepositoryRoom): readonly OpenRoute[] {
	const { context, store } = room;
	const pages = ownedPages(context.users, store.all, ({ visibility }) => visibility === 'public');
	const page = (path: string, show: Page): OpenRoute =>
		open('GET', `/~:owner/:name${path}`, async (call) => {
			const repository = pages.find(call, (each) => mayRead(each, undefined));
			return await show(room, repository, call);
		});
	return [
		open('GET', '/', () => webPage('Repositories', '<p>The repository area of the sample forge.</p>')),
		pages.ownerPage,
		page('', showRepository),
		page('/tree', showTree),
		page('/tree/:rest*', showTree),
		page('/blob/:rest*', showRaw),
		page('/blame/:rest*', showTree),
		page('/log', showLog),
		page('/log/:rest*', showLog),
		page('/commit/:commit', showCommit),
		page('/refs', showRefs),
		page('/refs/:rest*', showRef),
		page('/archive/:archive', getArchive),
	];
}

const showRepository: Page = async ({ context }, repository) => {
	const { owner, name, description } = repository;
	const address = `${context.origins.git}${addressOf(repository)}`;
	const push = `${context.origins.git}/ssh${addressOf(repository)}`;
	const rows = ['tree', 'log', 'refs'].map((each) => link(`${addressOf(repository)}/${each}`, each));
	return await Promise.resolve(
		webPage(
			`~${owner.name}/${name}`,
			`<p>${escapeHtml(description ?? '')}</p>${items(rows)}<pre>git clone ${escapeHtml(address)}
git push ${escapeHtml(push)} (in place of SSH; the password is a token)</pre>`,
		),
	);
};

const showTree: Page = async (_room, repository, call) => {
	const { source } = repository;
	const { tree, located } = await find(repository, call);
	const path = located.path[0] === 'item' ? located.path.slice(1) : located.path;
	const entry = (await follow(source, tree, path)) ?? (await follow(source, tree, located.path));
	if (entry === undefined || entry.mode === modes.submodule) {
		throw noPage();
	}
	const title = ['', ...path].join('/');
	if (entry.mode !== modes.tree) {
		const { bytes } = await source.read(entry.id);
		const text = bytes.includes(0) ? `${bytes.length} bytes that are no text` : bytes.toString('utf8');
		return webPage(title, `<pre>${escapeHtml(text)}</pre>`);
	}
	const entries = await source.tree(entry.id);
	const base = path.length === 0 ? call.path.replace(/\/+$/, '') : call.path;
	const step = located.path.length === 0 ? `${base}${call.params['rest'] === undefined ? '/HEAD' : ''}/item` : base;
	return linksPage(
		title === '' ? '/' : title,
		entries.map(({ name }) => [`${step}/${encodeURIComponent(name)}`, name]),
	);
};

const showRaw: Page = async ({ context }, repository, call) => {
	const { tree, located } = await find(repository, call);
	const entry = await follow(repository.source, tree, located.path);
	if (entry === undefined || entry.mode === modes.tree || entry.mode === modes.submodule) {
		throw noPage();
	}
	return blobAnswer(context.dialect, (await repository.source.read(entry.id)).bytes, located.path.at(-1) ?? '');
};

const showLog: Page = async (_room, repository, call) => {
	const { located } = await find(repository, call);
	const { id, type } = await peel(repository.source, located);
	const commits = type === 'commit' ? await firstCommits(repository.source, id, 50) : [];
	return linksPage(
		'Log',
		commits.map(({ id: commit, message }) => [
			`${addressOf(repository)}/commit/${commit}`,
			`${commit.slice(0, 7)} ${subjectOf(message)}`,
		]),
	);
};

const showCommit: Page = async ({ git, root }, repository, call) => {
	const name = param(call, 'commit');
	const id = name.replace(/\.patch$/, '');
	const found = /^[0-9a-f]{4,40}$/.test(id) ? await repository.source.resolve(id) : undefined;
	if (found?.kind !== 'object' || found.type !== 'commit') {
		throw noPage();
	}
	const gitDir = ['--git-dir', `${root}/${repository.folder}`];
	if (name.endsWith('.patch')) {
		const patch = await git.run([...gitDir, 'format-patch', '--stdout', '-1', found.id]);
		return plainText(200, patch.toString('utf8'));
	}
	const commit = await repository.source.commit(found.id);
	const diff = await git.run([...gitDir, 'show', '--format=', '--no-ext-diff', '--no-textconv', found.id]);
	const who = `${commit.author.name}, ${stamp(commit.author.timeS * 1000)}`;
	return webPage(
		subjectOf(commit.message),
		`<p>${escapeHtml(who)}</p><pre>${escapeHtml(commit.message)}</pre><pre>${escapeHtml(diff.toString('utf8'))}</pre>`,
	);
};

const showRefs: Page = async (_room, repository) => {
	const refs = await repository.source.refs();
	return webPage(
		'References',
		items(refs.map(({ name, target }) => `<li>${escapeHtml(name)} ${target.slice(0, 7)}</li>`)),
	);
};

/** A tag or one of its uploaded files. */
const showRef: Page = async (_room, repository, call) => {
	const rest = param(call, 'rest');
	for (const { ref, filename, content } of repository.artifacts) {
		if (rest === `${ref.replace('refs/tags/', '')}/${filename}`) {
			return { status: 200, headers: { 'Content-Type': 'application/octet-stream' }, body: content };
		}
	}
	const tag = (await repository.source.refs()).find(({ name }) => name === `refs/tags/${rest}`);
	return webPage(rest, `<p>${need(tag, noPage).target}</p>`);
};

const getArchive: Page = async ({ git, root }, repository, call) => {
	const revision = param(call, 'archive').replace(/\.tar\.gz$/, '');
	const located = need(await locate(repository.source, [revision]), noPage);
	const gitDir = ['--git-dir', `${root}/${repository.folder}`];
	const body = await git.run([...gitDir, 'archive', '--format=tar.gz', `--prefix=${repository.name}/`, located.id]);
	return { status: 200, headers: { 'Content-Type': 'application/gzip' }, body };
};

interface Place {
	readonly located: Located;
	readonly tree: string;
}

async function find({ source }: Repository, call: Call): Promise<Place> {
	const rest = call.params['rest'];
	const located = await locate(source, rest === undefined ? ['HEAD'] : rest.split('/'));
	const tree = located === undefined ? undefined : await treeOf(source, located);
	if (located === undefined || tree === undefined) {
		throw noPage();
	}
	return { located, tree };
}

function subjectOf(message: string): string {
	return message.split('\n', 1)[0] ?? '';
}

function items(rows: readonly string[]): string {
	return `<ul>${rows.join('\n')}</ul>`;
}

function link(address: string, text: string): string {
	return `<li><a href="${escapeHtml(address)}">${escapeHtml(text)}</a></li>`;
}
