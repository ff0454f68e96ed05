import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../support/counts.ts';
import { contrast, readablePair } from '../../../../src/engine/text/contrast.ts';

const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

suite('label colours', () => {
	test('black on white has the greatest contrast', () => {
		assert.equal(Math.round(contrast('#000000', '#ffffff')), 21);
	});

	test('the text of any label is readable', () => {
		fc.assert(
			fc.property(color, color, (background, text) => {
				const pair = readablePair({ background, text });
				assert.ok(pair && contrast(pair.background, pair.text) >= 4.5);
			}),
			inRounds({ small: 500, full: 10_000 }),
		);
	});

	test('the tracker’s own text colour stays if it is readable', () => {
		assert.deepEqual(readablePair({ background: '#000080', text: '#ffff00' }), {
			background: '#000080',
			text: '#ffff00',
		});
	});

	test('an invalid colour is not used', () => {
		assert.equal(readablePair({ background: 'red;x:url(//evil)', text: '#fff' }), undefined);
		assert.deepEqual(readablePair({ background: '#ffffff', text: 'x' }), { background: '#ffffff', text: '#000000' });
	});
});
