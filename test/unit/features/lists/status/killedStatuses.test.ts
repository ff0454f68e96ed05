import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { BulkPart, WriteJournal } from '../../../../../src/store/shared/writeJournal.ts';
import { writeJournal } from '../../../../../src/store/shared/writeJournal.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeLists } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { journalDisk } from '../../../../support/journalInMemory.ts';
import { someTurns } from '../../../../support/killedWindows.ts';
import { makeList, makePatchset } from '../../../../support/makeMail.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { statusJob } = await import('../../../../../src/features/lists/status/statusChanges.ts');

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const ids = [1, 2, 3];

function setOnForge({ world }: FakeLists): number {
	return (world.patchsets.get('~alice/devel') ?? []).filter(({ status }) => status === 'applied').length;
}

/** Checks the uncertain entries against the forge. */
async function lookedUp(journal: WriteJournal): Promise<readonly BulkPart[]> {
	const parts: BulkPart[] = [];
	for (const entry of journal.adopted()) {
		const verdict = entry.progress === 'inDoubt' ? await journal.look(entry, never) : undefined;
		parts.push({ entry, verdict });
	}
	return parts;
}

suite('status changes of several patchsets after a killed window', () => {
	setup(resetStub);

	for (const [answer, left] of [
		['Continue', 3],
		['Undo', 0],
	] as const) {
		for (const [when, reached] of [
			['before', 1],
			['after', 2],
		] as const) {
			test(`leave ${left} of 3 set after ${answer}, killed ${when} the second change`, async () => {
				const lists = fakeLists();
				lists.world.lists.push(makeList());
				lists.world.patchsets.set(
					'~alice/devel',
					ids.map((id) => makePatchset({ id, status: 'proposed' })).toReversed(),
				);
				const disk = journalDisk();
				const first = disk.window();
				const journal = writeJournal(first, 'w1', fakeClock());
				let sent = 0;
				const setStatus = lists.api.setPatchsetStatus.bind(lists.api);
				const dying = {
					...lists.api,
					async setPatchsetStatus(...args: Parameters<typeof setStatus>) {
						sent += 1;
						const isLast = sent === 2;
						if (isLast && when === 'before') {
							return new Promise<never>(() => undefined);
						}
						const answered = await setStatus(...args);
						return isLast ? new Promise<never>(() => undefined) : answered;
					},
				};
				const connection = listConnection(dying, '~alice', undefined, [], undefined, journal);
				await connection.lists.patchsets(devel).first(never);
				const items = ids.map((id) => ({
					subject: { kind: 'patchset', connectionKey: connection.key, ref: { list: devel, id } } as const,
					wish: { status: 'applied' as const },
				}));
				const job = statusJob(items, (count) => count);
				void listsParts(fakeConnections(connection)).statuses.carryOut(job, never);
				await someTurns();
				first.kill();
				assert.equal(setOnForge(lists), reached);

				const next = writeJournal(disk.window(), 'w2', fakeClock());
				const reopened = listConnection(lists.api, '~alice', undefined, [], undefined, next);
				// Undo asks once more.
				stubbed.answers.push(answer, answer);
				const { statuses } = listsParts(fakeConnections(reopened));
				await statuses.resumeAll(reopened, await lookedUp(next), never);
				await someTurns();
				const text = `The status was set on ${reached} of 3 patchsets when the window closed.`;
				assert.deepEqual([stubbed.shown[0], stubbed.buttons[0]], [text, ['Continue', 'Undo']]);
				assert.equal(setOnForge(lists), left);
				assert.deepEqual(disk.texts(), []);
			});
		}
	}
});
