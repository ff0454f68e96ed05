import assert from 'node:assert/strict';
import * as v from 'valibot';
import { mailPart } from '../../../../src/pages/protocol/mailsProtocol.ts';
import {
	patchsetAction,
	patchsetActions,
	patchsetPart,
	statusWord,
} from '../../../../src/pages/protocol/patchsetProtocol.ts';

const junk: readonly unknown[] = [undefined, null, 0, -1, 1.5, Number.NaN, '', 'x'.repeat(10_000), [], {}, true];

suite('messages of a patchset page', () => {
	test('name a file of a patch by two whole numbers only', () => {
		assert.deepEqual(v.parse(mailPart, { mail: 12, part: 0 }), { mail: 12, part: 0 });
		for (const value of [
			...junk,
			{ mail: 0, part: 0 },
			{ mail: 1, part: -1 },
			{ mail: '1', part: 0 },
			{ mail: 1, part: 0, path: '/etc/passwd' },
		]) {
			assert.equal(v.safeParse(mailPart, value).success, false, JSON.stringify(value));
		}
	});

	test('name one of its own buttons and never a command', () => {
		for (const action of patchsetActions) {
			assert.equal(v.parse(patchsetAction, action), action);
		}
		for (const value of [...junk, 'workbench.action.quit', 'constructor', '__proto__', 'forge.lists.delete']) {
			assert.equal(v.safeParse(patchsetAction, value).success, false, String(value));
			assert.equal(v.safeParse(patchsetPart, value).success, false, String(value));
		}
	});

	test('contain a status as a short word', () => {
		assert.equal(v.parse(statusWord, 'approved'), 'approved');
		assert.equal(v.safeParse(statusWord, '').success, false);
		assert.equal(v.safeParse(statusWord, 'x'.repeat(65)).success, false);
	});
});
