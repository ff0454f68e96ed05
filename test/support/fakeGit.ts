import type * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import type {
	FindGit,
	GitApi,
	GitCommit,
	GitHead,
	GitRef,
	GitRemote,
	GitRepository,
} from '../../src/editor/git/gitApi.ts';
import { standFor } from './standFor.ts';

/** A repository of the editor's git, in memory. */
export interface FakeRepository {
	readonly repository: GitRepository;
	readonly calls: string[];
	readonly remotes: GitRemote[];
	readonly configs: { key: string; value: string }[];
	readonly refs: GitRef[];
	readonly commits: GitCommit[];
	readonly changes: unknown[];
	head: GitHead | undefined;
	/** A head that another program has set; `state` shows it only after `status()`. */
	unseenHead: GitHead | undefined;
	/** The editor's git looks again. */
	change(): void;
	/** Another branch becomes the current one. */
	goTo(branch: string): void;
	/** After a commit, git clears the input box, or fills in its trimmed template, and fires the event. */
	commit(template?: string): void;
}

/** A path that no disk has. */
export function uriAt(path: string): vscode.Uri {
	return standFor<vscode.Uri>({ scheme: 'file', authority: '', path, fsPath: path, toString: () => `file://${path}` });
}

export function fakeRepository(root = '/code'): FakeRepository {
	const committed = new Emitter<void>();
	const checkedOut = new Emitter<void>();
	const changed = new Emitter<void>();
	const fake: FakeRepository = {
		calls: [],
		remotes: [],
		configs: [],
		refs: [],
		commits: [],
		changes: [],
		head: { name: 'main', commit: 'a'.repeat(40) },
		unseenHead: undefined,
		change: () => changed.fire(),
		goTo(branch) {
			fake.head = { ...fake.head, name: branch };
			changed.fire();
		},
		commit(template = '') {
			repository.inputBox.value = template.trim();
			committed.fire();
			changed.fire();
		},
		get repository() {
			return repository;
		},
	};
	const repository: GitRepository = {
		rootUri: uriAt(root),
		inputBox: { value: '' },
		async status() {
			fake.head = fake.unseenHead ?? fake.head;
			fake.unseenHead = undefined;
		},
		state: {
			get HEAD() {
				return fake.head;
			},
			remotes: fake.remotes,
			mergeChanges: [],
			indexChanges: [],
			workingTreeChanges: fake.changes,
			onDidChange: changed.event,
		},
		onDidCommit: committed.event,
		onDidCheckout: checkedOut.event,
		async getConfigs() {
			fake.calls.push('getConfigs');
			return fake.configs;
		},
		getRefs: async ({ pattern }) => {
			fake.calls.push(`getRefs ${String(pattern)}`);
			return fake.refs;
		},
		async createBranch(name, checkout) {
			fake.calls.push(`createBranch ${name} ${checkout}`);
			fake.goTo(name);
		},
		async checkout(name) {
			fake.calls.push(`checkout ${name}`);
			fake.goTo(name);
		},
		log: async ({ refNames }) => {
			fake.calls.push(`log ${refNames.join(' ')}`);
			return fake.commits;
		},
	};
	return fake;
}

/** The editor's git, with repositories that tests open and close. */
export interface FakeGit extends FindGit {
	open(fake: FakeRepository): void;
	close(fake: FakeRepository): void;
}

/** The editor's git with these repositories open; disabled if the first list is empty. */
export function fakeGit(...fakes: readonly FakeRepository[]): FakeGit {
	const opened = new Emitter<GitRepository>();
	const closed = new Emitter<GitRepository>();
	const changed = new Emitter<'initialized'>();
	const repositories = fakes.map(({ repository }) => repository);
	const api: GitApi = {
		git: { path: 'git' },
		state: 'initialized',
		onDidChangeState: changed.event,
		repositories,
		openRepository: async ({ fsPath }) => repositories.find(({ rootUri }) => rootUri.fsPath === fsPath) ?? null,
		onDidOpenRepository: opened.event,
		onDidCloseRepository: closed.event,
	};
	return Object.assign(() => Promise.resolve(fakes.length === 0 ? undefined : api), {
		open({ repository }: FakeRepository) {
			repositories.push(repository);
			opened.fire(repository);
		},
		close({ repository }: FakeRepository) {
			repositories.splice(repositories.indexOf(repository), 1);
			closed.fire(repository);
		},
	});
}
