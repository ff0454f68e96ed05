import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { askUntil } = await import('../../../../src/editor/ask/snoozeTimes.ts');
const { dayTime } = await import('../../../../src/engine/text/age.ts');

/** A Friday in November. */
const at = (day: number, hour: number, month = 10): number => new Date(2026, month, day, hour).getTime();
const noon = at(20, 12);
const choices: readonly (readonly [label: string, untilMs: number])[] = [
	['Tonight', at(20, 18)],
	['Tomorrow', at(21, 9)],
	['Next Monday', at(23, 9)],
	['In Two Weeks', at(4, 9, 11)],
];

suite('end of a snooze', () => {
	setup(() => resetStub());

	for (const [label, untilMs] of choices) {
		test(`"${label}" is a time, and the row shows it`, async () => {
			stubbed.answers.push(label);
			assert.equal(await askUntil('How long', noon), untilMs);
			const row = stubbed.offered.find((each) => each.label === label);
			assert.equal(row?.description, dayTime(untilMs, 'en'));
		});
	}

	test('late in the day, there is no tonight', async () => {
		stubbed.answers.push('Tomorrow');
		await askUntil('How long', at(20, 20));
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['Tomorrow', 'Next Monday', 'In Two Weeks', 'Enter a Date or a Duration…'],
		);
	});

	test('a typed time is checked while the user types', async () => {
		stubbed.answers.push('Enter a Date or a Duration…', 'yesterday');
		await assert.rejects(askUntil('How long', noon), { name: 'AbortError' });
		assert.deepEqual(stubbed.asked, ['How long', 'How long']);
		assert.match(String(stubbed.shown.at(-1)), /^Write a duration such as 3d/);
		stubbed.answers.push('Enter a Date or a Duration…', '2026-12-24 14:30');
		assert.equal(await askUntil('How long', noon), new Date(2026, 11, 24, 14, 30).getTime());
	});

	test('further choices come first', async () => {
		stubbed.answers.push('New Version');
		assert.equal(await askUntil('How long', noon, { label: 'New Version', value: 'version' }), 'version');
		assert.equal(stubbed.offered[0]?.label, 'New Version');
	});
});
