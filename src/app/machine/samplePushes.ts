import { sampleUser, type RunningSample } from '../../editor/accounts/sampleSource.ts';
import type { WithAskPass } from 'hardened-git/askPass.ts';

/**
 * Pushes to the sample forge. It has no SSH, so it accepts pushes at separate addresses, with a token as password. Git
 * gets the token only for the forge's own origin.
 */
export function samplePushes(sample: () => RunningSample | undefined, askPass: WithAskPass) {
	const withAskPass: WithAskPass = (ask, signal, work) =>
		askPass(
			async (question, asking) => {
				const [, what, address = ''] = /^(Username|Password) for '([^']+)': ?$/.exec(question) ?? [];
				const running = sample();
				const isOwn = running !== undefined && URL.parse(address)?.origin === running.instance.areas.git;
				const token = isOwn ? running.tokens[sampleUser]?.reveal() : undefined;
				const reply = isOwn && what === 'Username' ? sampleUser : token;
				return reply ?? (await ask(question, asking));
			},
			signal,
			work,
		);
	return {
		withAskPass,
		/** The push address of the remote at `address`. */
		pushAddress(address: string): string {
			const git = sample()?.instance.areas.git;
			return git !== undefined && address.startsWith(`${git}/~`) ? `${git}/ssh${address.slice(git.length)}` : address;
		},
	};
}
