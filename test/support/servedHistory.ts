import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { hardenedGit } from 'hardened-git/hardenedGit.ts';
import { remoteHistory } from 'hardened-git/remoteHistory.ts';
import type { HistoryOfGit } from '../../src/store/wholeFiles/gitSearch.ts';
import { testMachine } from './localMachine.ts';

/** The history of a local repository, fetched by the real git as from a server. */
export interface ServedHistory extends HistoryOfGit, Disposable {
	/** Kinds of git runs since the last call. */
	runs(): readonly string[];
	/** Removes the fetched history. */
	forget(): void;
}

/** `git upload-pack` takes the place of ssh. */
export function servedHistory(folder: string): ServedHistory {
	const machine = testMachine();
	const ssh = join(machine.folder, 'ssh');
	writeFileSync(ssh, `#!/bin/sh\nexec git -c uploadpack.allowFilter=true upload-pack '${folder}'\n`, { mode: 0o755 });
	const environment = { ...machine.parts.environment, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' };
	const git = hardenedGit({ ...machine.parts, environment });
	const runs: string[] = [];
	const counted: typeof git = {
		run(command, ...rest) {
			runs.push(command.kind);
			return git.run(command, ...rest);
		},
		stream: (...all) => git.stream(...all),
	};
	const root = join(machine.folder, 'histories');
	const tempFolder = join(machine.folder, 'temp');
	mkdirSync(tempFolder);
	const all = remoteHistory({ git: counted, tempFolder, root, nowMs: Date.now });
	let rooms = 0;
	const place = (): Parameters<typeof all.versions>[0] => ({
		room: `room${rooms}`,
		addresses: ['git@git.forge.test:~alice/served'],
	});
	return {
		async versions(question, signal) {
			try {
				return { kind: 'read', ...(await all.versions(place(), question, signal)) };
			} catch (error) {
				if (error instanceof GitFailure) {
					return { kind: 'failed', error };
				}
				throw error;
			}
		},
		contents: (ids, signal) => all.contents(place(), ids, signal),
		runs: () => runs.splice(0),
		forget: () => void (rooms += 1),
		[Symbol.dispose]: () => machine.remove(),
	};
}
