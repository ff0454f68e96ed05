import { tmpdir } from 'node:os';
import type { Memento } from 'vscode';
import type { ListsContext } from '../../src/features/lists/context/listsContext.ts';
import { withAskPass } from 'hardened-git/askPass.ts';
import { folderKey } from 'hardened-git/fileInClone.ts';
import { hardenedGit } from 'hardened-git/hardenedGit.ts';
import { fake } from './fake.ts';
import { fakeGit } from './fakeGit.ts';
import { keptInMemory } from './keptInMemory.ts';

/** Git in an untrusted window: runs nothing and has no clones. */
export function noGit() {
	const kept = keptInMemory();
	const keptCommits = keptInMemory();
	return {
		findGit: fakeGit(),
		git: hardenedGit({
			isTrusted: () => false,
			gitPath: async () => undefined,
			openFolders: () => [],
			environment: {},
			isWindows: false,
			devNull: '/dev/null',
		}),
		signatures: {
			check: async () => [],
			allowDns: async () => undefined,
			onDidAllow: () => ({ dispose: () => undefined }),
		},
		tempFolder: tmpdir(),
		withAskPass: (ask, signal, work) =>
			withAskPass({ tempFolder: tmpdir(), node: process.execPath, isWindows: false }, ask, signal, work),
		pushAddress: (address) => address,
		folderKey: (path) => folderKey(path, false),
		trust: { isTrusted: () => false, onDidGrant: () => ({ dispose: () => undefined }) },
		tellingOfGit: (handler) => handler,
		cloneRepository: () => Promise.reject(new Error('Nothing is cloned')),
		appliedOf: () => kept,
		appliedCommitsOf: () => keptCommits,
		flags: fake<Memento>({ get: () => undefined, update: async () => undefined }),
	} satisfies Partial<ListsContext>;
}
