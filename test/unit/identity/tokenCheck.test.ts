import assert from 'node:assert/strict';
import { ForgeError, type Problem } from '../../../src/forge/forgeError.ts';
import type { ContentArea } from '../../../src/forge/instance.ts';
import { SignInError } from '../../../src/identity/signInError.ts';
import { Token } from '../../../src/identity/token.ts';
import { checkToken, type TokenCheck } from '../../../src/identity/tokenCheck.ts';

/** What the areas say: the name of an account, or why not. */
function check(answers: Readonly<Record<ContentArea, string | Problem>>): Promise<TokenCheck> {
	const whoAmI = async (area: ContentArea): Promise<string> => {
		const answer = answers[area];
		if (typeof answer === 'string') {
			return answer;
		}
		throw new ForgeError(answer);
	};
	return checkToken(new Token('0123456789'), whoAmI, new AbortController().signal);
}

const failed: Problem = { kind: 'serverError', status: 502 };

suite('whose token it is', () => {
	test('areas that refuse it are told apart from those that gave no answer', async () => {
		for (const refusal of [
			{ kind: 'tokenRejected', area: 'git' },
			{ kind: 'notAllowed' },
			{ kind: 'missingScope', scope: 'info:read', asWritten: 'info:read' },
		] as const) {
			assert.deepEqual(await check({ todo: '~alice', lists: failed, git: refusal }), {
				accountName: '~alice',
				refusedBy: ['git'],
				unheard: ['lists'],
			});
		}
	});

	test('areas that name different people make it nobody’s', async () => {
		await assert.rejects(
			check({ todo: '~alice', lists: '~bob', git: '~alice' }),
			(error) => error instanceof SignInError && error.problem.kind === 'notUnderstood',
		);
	});

	test('refused by all it is refused, and a failure says more where none took it', async () => {
		const refused: Problem = { kind: 'notAllowed' };
		await assert.rejects(
			check({ todo: refused, lists: refused, git: refused }),
			(error) => error instanceof SignInError && error.problem.kind === 'tokenRefused',
		);
		await assert.rejects(check({ todo: refused, lists: failed, git: refused }), ForgeError);
	});
});
