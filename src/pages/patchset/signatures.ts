import question from '@vscode/codicons/src/icons/question.svg';
import unverified from '@vscode/codicons/src/icons/unverified.svg';
import verified from '@vscode/codicons/src/icons/verified.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import { h } from '../dom.ts';
import { icons } from '../icons.ts';
import { linkButton } from '../mailBlocks.ts';
import type { SignatureIcon, SignaturesView } from '../protocol/patchsetProtocol.ts';
import { pilled } from '../texts.ts';
import { ifOther } from './head.ts';
import type { PageContext } from './pageContext.ts';

const signatureIcon = icons<SignatureIcon>({
	valid: verified,
	changed: warning,
	doubtful: question,
	unsigned: unverified,
});

/** The signatures in a line for equal ones, and of each patch on request. */
export function signatures({ strings, run, goTo }: PageContext) {
	const element = h('section', { class: 'signatures', 'aria-label': strings.signatures, hidden: true });
	const line = (icon: SignatureIcon, ...parts: readonly (Node | string)[]): HTMLElement =>
		h('div', { class: `proof proof-${icon}` }, signatureIcon(icon), h('span', {}, ...parts));
	return {
		element,
		show: ifOther(({ sums, patches, mayAskDns }: SignaturesView) => {
			const isOpen = element.querySelector('details')?.open === true;
			const hasFocus = element.contains(document.activeElement);
			const rows = patches.map(({ mailId, number, title, icon, text }) =>
				h(
					'li',
					{},
					line(
						icon,
						linkButton(`${number} ${title}`.trim(), () => goTo(mailId)),
						' ',
						pilled(text),
					),
				),
			);
			element.replaceChildren(
				...sums.map(({ icon, text }) => line(icon, pilled(text))),
				...(mayAskDns
					? [
							h(
								'p',
								{},
								linkButton(strings.lookUpKeys, () => run('lookUpKeys')),
							),
						]
					: []),
				...(rows.length === 0
					? []
					: [
							h(
								'details',
								{ open: isOpen },
								h('summary', {}, strings.signaturesOfPatches),
								h('ul', { class: 'plain' }, ...rows),
							),
						]),
			);
			element.hidden = sums.length === 0;
			if (hasFocus) {
				element.querySelector<HTMLElement>('button, summary')?.focus({ preventScroll: true });
			}
		}),
	};
}
