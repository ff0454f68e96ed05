import assert from 'node:assert/strict';
import { namePath, ticketPath, userPath } from '../../src/web/sourcehutWeb.ts';

suite('addresses of forge pages', () => {
	test('names stay single path segments', () => {
		assert.equal(ticketPath({ owner: '~alice', name: 'alpha' }, 3), '/~alice/alpha/3');
		assert.equal(namePath({ owner: '~a/b', name: '?#' }), '/~a%2Fb/%3F%23');
	});

	test('a name with half a surrogate pair gives a valid address', () => {
		assert.equal(userPath('~\uD800x'), '/~%EF%BF%BDx');
		assert.equal(ticketPath({ owner: '~\uDC00', name: '\uD83D' }, 1), '/~%EF%BF%BD/%EF%BF%BD/1');
	});
});
