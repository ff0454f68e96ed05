import assert from 'node:assert/strict';
import { actHistory } from '../../../../src/editor/bulk/actHistory.ts';

interface Change {
	readonly subject: string;
}
const history = (): ReturnType<typeof actHistory<string, Change>> => actHistory((subject) => subject);
const about: Change = { subject: 'x' };

suite('undo history', () => {
	test('keeps the last twenty acts, newest first, and skips those without changes', () => {
		const acts = history();
		acts.record('Nothing', []);
		for (let at = 0; at < 25; at += 1) {
			acts.record(String(at), [about]);
		}
		const taken: string[] = [];
		for (let act = acts.takeNewest([]); act; act = acts.takeNewest([])) {
			taken.push(act.undoing);
		}
		assert.deepEqual([taken.length, taken[0], taken.at(-1)], [20, '24', '5']);
	});

	test('an act put back keeps its place, as does its remainder', () => {
		const acts = history();
		const [oldest, middle] = ['oldest', 'middle', 'newest'].map((undoing) => acts.record(undoing, [about, about]));
		assert.ok(oldest && middle && acts.take(oldest) && acts.take(middle));
		acts.putBack(middle, { undoing: 'rest of the middle', items: [about] });
		acts.putBack(oldest, { ...oldest, items: [] });
		acts.record('later', [about]);
		const taken = Array.from({ length: 4 }, () => acts.takeNewest([])?.undoing);
		assert.deepEqual(taken, ['later', 'newest', 'rest of the middle', undefined]);
	});
});
