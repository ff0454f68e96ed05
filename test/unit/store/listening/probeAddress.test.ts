import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { probeAddress, type PostDelivery } from '../../../../src/store/listening/probeAddress.ts';

const never = new AbortController().signal;

/** A listener that answers its probe until it is disposed. */
class Listener {
	probes = 0;

	async beginProbe(): Promise<{ path: string; text: string; dispose: () => void }> {
		this.probes += 1;
		return { path: '/secret-path', text: '/secret-text', dispose: () => void (this.probes -= 1) };
	}
}

suite('public address probe', () => {
	test('calls the listener below its address as a forge does, and ends after the call', async () => {
		const listening = new Listener();
		const post: PostDelivery = async (call) => {
			assert.equal(listening.probes, 1);
			assert.deepEqual(call, {
				origin: 'https://hooks.example:8443',
				path: '/forge/secret-path',
				headers: { 'X-Webhook-Event': 'probe', 'X-Webhook-Delivery': 'secret-text' },
				json: '{}',
			});
			return { status: 200, text: '/secret-text' };
		};
		const probed = await probeAddress('https://hooks.example:8443/forge', () => listening.beginProbe(), post, never);
		assert.deepEqual([probed, listening.probes], [{ kind: 'reached' }, 0]);
	});

	test('adds no path to an address without one', async () => {
		const paths: string[] = [];
		const post: PostDelivery = async ({ path }) => {
			paths.push(path);
			return { status: 404, text: '' };
		};
		await probeAddress('https://hooks.example', () => new Listener().beginProbe(), post, never);
		assert.deepEqual(paths, ['/secret-path']);
	});

	for (const [what, answer] of [
		['another text', { status: 200, text: 'Welcome!' }],
		['nothing', { status: 204, text: '' }],
		['an error with the text', { status: 502, text: '/secret-text' }],
	] as const) {
		test(`reports ${what} as another response`, async () => {
			const probed = await probeAddress(
				'https://hooks.example',
				() => new Listener().beginProbe(),
				() => Promise.resolve(answer),
				never,
			);
			assert.deepEqual(probed, { kind: 'otherAnswer', status: answer.status });
		});
	}

	test('reports the host name of a call under another name', async () => {
		const post: PostDelivery = () => Promise.resolve({ status: 200, text: '/secret-text 127.0.0.1:8080' });
		const probed = await probeAddress('https://hooks.example', () => new Listener().beginProbe(), post, never);
		assert.deepEqual(probed, { kind: 'otherName', host: '127.0.0.1:8080' });
	});

	test('reports a failed request as such, and ends', async () => {
		const listening = new Listener();
		const problem: Problem = { kind: 'unreachable', reason: 'refused', host: 'hooks.example' };
		const post: PostDelivery = () => Promise.reject(new ForgeError(problem));
		const probed = await probeAddress('https://hooks.example', () => listening.beginProbe(), post, never);
		assert.deepEqual([probed, listening.probes], [{ kind: 'unreached', problem }, 0]);
	});

	test('sends nothing without a listener', async () => {
		const post: PostDelivery = () => assert.fail();
		const probed = await probeAddress('https://hooks.example', () => Promise.resolve(undefined), post, never);
		assert.deepEqual(probed, { kind: 'notOpen' });
	});
});
