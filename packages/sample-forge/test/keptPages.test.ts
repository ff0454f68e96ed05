import assert from 'node:assert/strict';
import { createKeptPages } from '../src/shared/answers.ts';

suite('Sample forge: page cache', () => {
	test('renders a page once per revision', () => {
		const pages = createKeptPages();
		let made = 0;
		const read = (revision: number, key: string): string => {
			const { body } = pages.keep(revision, key, () => ({ status: 200, headers: {}, body: `${key} ${++made}` }));
			return body instanceof Uint8Array ? new TextDecoder().decode(body) : assert.fail('it is not kept as bytes');
		};
		assert.deepEqual([read(1, 'a'), read(1, 'a'), read(1, 'b')], ['a 1', 'a 1', 'b 2']);
		assert.deepEqual([read(2, 'a'), read(2, 'b')], ['a 3', 'b 4']);
	});
});
