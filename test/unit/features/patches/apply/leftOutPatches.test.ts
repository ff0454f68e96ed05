import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import { eachInAppliedWorld, type AppliedWindow, type AppliedWorld } from '../support/appliedWorld.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { stubbed } from '../../../../support/vscodeValues.ts';

const { standingView } = await import('../../../../../src/features/review/patchset/standingView.ts');
const { patchsetText } = await import('../../../../../src/features/lists/models/patchsetText.ts');

const never = new AbortController().signal;
const sentence = 'The thread has 2 more patches of the sender.';

suite('a series sent without numbers', function () {
	this.timeout(60_000);
	let world: AppliedWorld;
	let window: AppliedWindow;

	eachInAppliedWorld((made) => ({ world, window } = made));

	/** The forge adds only the first patch to the patchset. */
	setup(() => {
		const { mails, series } = world.lists.world;
		mails.forEach((mail, at) => {
			const unnumbered = (text: string): string => text.replace(/\[PATCH \d\/3\]/, '[PATCH]');
			mails[at] = {
				...mail,
				patchsetId: at === 0 ? mail.patchsetId : undefined,
				subject: unnumbered(mail.subject),
				envelope: unnumbered(mail.envelope),
			};
		});
		series.set(7, mails.slice(0, 1));
	});

	test('names its left-out patches on the page and for a language model', async () => {
		const connection = listConnection(world.lists.api);
		const review = await connection.reviews.read(world.subject.ref, never);
		const { health } = standingView(listsParts(fakeConnections(connection)), connection, review, undefined, []);
		assert.deepEqual(
			health.map(({ problem, advice }) => [problem, advice]),
			[[sentence, 'They are not part of this patchset and are not applied. Open the thread to read them.']],
		);
		assert.match(
			patchsetText(review, connection.texts, ''),
			/problem: patches of the sender in the thread that are in no patchset: 2/,
		);
	});

	for (const command of ['forge.patchsets.apply', 'forge.patchsets.checkApplies'] satisfies readonly CommandId[]) {
		test(`triggers a question before ${command}`, async () => {
			stubbed.answers.push(...(command === 'forge.patchsets.apply' ? ['Current Branch main'] : []));
			await assert.rejects(window.run(command, world.subject), isAbort);
			assert.deepEqual(stubbed.shown, [sentence]);
			assert.equal(world.inClone('rev-parse', 'HEAD'), world.base);
		});
	}

	test('applies its first patch alone after a confirmation', async () => {
		stubbed.answers.push('Current Branch main', 'Apply');
		await window.run('forge.patchsets.apply', world.subject);
		assert.equal(stubbed.shown[0], sentence);
		assert.equal(world.inClone('rev-list', '--count', `${world.base}..HEAD`), '1');
	});
});
