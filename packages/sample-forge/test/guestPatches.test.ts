import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readMailbox } from '../src/worlds/lists/tellMail.ts';
import { root } from '../../../test/harness/places.ts';
import { startGuestForge, type GuestForge } from '../../../test/support/guestForge.ts';

suite('patches of the guest world', function () {
	this.timeout(60_000);
	let guest: GuestForge;

	suiteSetup(async () => {
		guest = await startGuestForge('graphql', Date.UTC(2026, 10, 20, 12));
	});

	suiteTeardown(() => guest.stop());

	for (const file of globSync('packages/sample-forge/src/sampleData/guest/patches/*.mbox', { cwd: root })) {
		test(`apply to a commit of their repository: ${basename(file, '.mbox')}`, async () => {
			const { git, root: repositories, store } = guest.forge.world.areas.git.room;
			const gitDir = join(repositories, store.all[0]?.folder ?? '');
			const environment = { GIT_INDEX_FILE: join(repositories, `${basename(file)}.index`) };
			const run = async (args: readonly string[], input = ''): Promise<string> => {
				const options = { input: Buffer.from(input, 'latin1'), environment };
				return (await git.run(['--git-dir', gitDir, ...args], options)).toString();
			};
			const { mails, commits } = readMailbox(readFileSync(join(root, file)));
			const patches = mails.slice(mails.length - commits.length);
			const takes = async (commit: string): Promise<boolean> => {
				await run(['read-tree', commit]);
				for (const patch of patches) {
					try {
						await run(['apply', '--cached', '-'], patch);
					} catch {
						return false;
					}
				}
				return true;
			};
			let fits = false;
			for (const commit of (await run(['rev-list', 'master'])).trim().split('\n')) {
				fits ||= await takes(commit);
			}
			assert.ok(patches.length > 0 && fits, 'no commit takes all of them');
		});
	}
});
