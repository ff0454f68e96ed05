import assert from 'node:assert/strict';
import { factsInMemory } from '../../src/port/learntFacts.ts';
import { keptRenames } from '../../src/graphql/git/namedRepositories.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';

const dayMs = 86_400_000;
const lantern = { owner: '~alice', name: 'lantern' };
const lamp = { owner: '~alice', name: 'lamp' };
const wick = { owner: '~alice', name: 'wick' };

suite('repository renames', () => {
	test('last for a day after the lookup, across midnight', () => {
		const clock = fakeClock(Date.UTC(2026, 10, 23, 23, 59));
		const learnt = factsInMemory();
		const renames = keptRenames(learnt, clock);
		renames.learn(lantern, lamp);
		clock.advance(dayMs / 2);
		assert.deepEqual([renames.of(lantern), keptRenames(learnt, clock).of(lantern)], [lamp, lamp]);
		clock.advance(dayMs / 2);
		assert.deepEqual([keptRenames(learnt, clock).of(lantern), learnt.all()], [undefined, []]);
		assert.equal(renames.of(lantern), undefined);
	});

	test('that are expired or in the future disappear at the next lookup or rename', () => {
		const clock = fakeClock();
		const nowMs = clock.nowMs();
		const fresh = `renamed:~alice/wick>~alice/lamp@${nowMs - 1000}`;
		for (const act of ['of', 'learn'] as const) {
			const learnt = factsInMemory();
			for (const fact of [
				'lacks:odd',
				`renamed:~alice/old>~alice/lamp@${nowMs - dayMs}`,
				`renamed:~alice/later>~alice/lamp@${nowMs + 1}`,
				// An earlier version stored the day number.
				'renamed:~alice/earlier>~alice/lamp@20773',
				fresh,
			]) {
				learnt.learn(fact, true);
			}
			const renames = keptRenames(learnt, clock);
			renames[act](lantern, lamp);
			const learned = act === 'learn' ? [`renamed:~alice/lantern>~alice/lamp@${nowMs}`] : [];
			assert.deepEqual(learnt.all(), ['lacks:odd', fresh, ...learned]);
			assert.deepEqual(renames.of(wick), lamp);
		}
	});
});
