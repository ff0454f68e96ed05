import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Net } from 'sourcehut/net.ts';
import type { ArchiveDirectory } from '../../../../src/editor/accounts/archiveDirectory.ts';
import { fake } from '../../../support/fake.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { generatedMails, mailboxOfMails } from '../../../support/generatedMails.ts';
import { localPlace, never } from '../../../support/localMailbox.ts';
import { testMachine } from '../../../support/localMachine.ts';

const { programArchives } = await import('../../../../src/app/accounts/archives.ts');

suite('mailboxes of all windows', () => {
	test('appear in another window when it looks, with one event', async () => {
		const place = localPlace();
		const machine = testMachine();
		const window = () =>
			programArchives(
				fake<ArchiveDirectory>({
					all: () => [],
					onDidChange: () => ({ dispose: () => undefined }),
					mirrors: () => ({}),
				}),
				async () => fake<Net>({ stream: () => Promise.reject(new Error('no request')) }),
				async () => undefined,
				fakeClock(),
				{ folder: join(place.folder, 'archives', 'lists'), git: machine.git, hasGit: () => true, ask: place.ask },
			);
		const [first, second] = [window(), window()];
		let events = 0;
		second.onDidChange(() => (events += 1));
		await second.look();
		assert.deepEqual([second.all(), events], [[], 0]);
		const path = join(place.folder, 'talks.mbox');
		writeFileSync(path, mailboxOfMails(generatedMails(3)));
		await (await first.open()).openMailbox(path, () => undefined, never);
		await second.look();
		await second.look();
		const [[key, instance] = []] = second.all();
		assert.deepEqual([key, events], [second.mailboxKey, 1]);
		assert.deepEqual(
			second
				.followed(instance?.archiveUrl ?? '')
				.all()
				.map((name) => name.replace(/^.*\//, '')),
			['talks.mbox'],
		);
		machine.remove();
		await place.remove();
	});
});
