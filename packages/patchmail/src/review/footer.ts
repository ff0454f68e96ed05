/** Maximum length of a footer. */
const longestFooter = 12;
/** Maximum length below a heading such as `Confidentiality notice`, which programs repeat in more languages. */
const longestHeaded = 40;
const longestLine = 300;
/** Lines below the rule that name the list program. */
const mostAboveName = 3;

const rule = /^[ \t]*[-_=*~#+]{3,}[-_=*~#+ ]*$/;
const longRule = /^(?:_{20,}|-{20,}|={20,})\s*$/;
const ofList = /mailing list|unsubscribe|\/listinfo\//i;
/** Sentences of list programs. Below a short rule, the word alone may be about the patch. */
const ofProgram =
	/you receive(?:d)? (?:this|all|an?) ?messages?|checked for viruses|view\/reply online|mailing list(?: --|$)|\/listinfo\/|^(?:to )?(?:subscribe or )?unsubscribe(?::|,| (?:from this|send|via|visit|please|e-?mail))/i;
/** Notes of companies, in some languages. They speak of the mail and of its recipient. */
const headed =
	/^\W{0,4}(?:(?:confidentiality|important|legal|privacy) (?:note|notice|statement|disclaimer)\b|disclaimer\b)/i;
const notice = new RegExp(
	'^\\W{0,4}(?:(?:this|the (?:information|contents?)) .{0,60}(?:e-?mail|message|communication|transmission)|diese e-?mail|diese nachricht' +
		'|ce (?:message|courriel)|este (?:mensaje|correo|e-?mail)|esta mensagem|questo messaggio|本邮件|此邮件|本電子郵件|このメール)',
	'i',
);
const ofRecipient =
	/recipient|(?:delete|destroy) (?:it|this|the)|unauthori[sz]ed|empfänger|destinataire|destinatari|收件人|受信者/i;
const confidential =
	/confidential|privileged|proprietary|vertraulich|confidentiel|confidencial|riservat|保密|机密|機密|秘密/i;

/** First line of the footer by a list program or a company; -1 without one. */
export function footerStart(texts: readonly string[]): number {
	for (let at = Math.max(0, texts.length - longestHeaded - 3); at < texts.length; at++) {
		const [first = '', ...below] = texts
			.slice(at)
			.filter((line) => line.trim() !== '')
			.map((line) => line.slice(0, longestLine));
		const isHeaded = headed.test(first);
		const most = isHeaded ? longestHeaded : longestFooter;
		const isNear = isHeaded || at >= texts.length - longestFooter - 3;
		const isStart =
			texts[at]!.trim() !== '' && isNear && below.length <= most && !below.some((line) => line.startsWith('>'));
		if (!isStart) {
			continue;
		}
		const words = longRule.test(first) ? ofList : rule.test(first) ? ofProgram : undefined;
		const isOfList = words !== undefined && below.slice(0, mostAboveName).some((line) => words.test(line));
		const isBelowBlank = at === 0 || texts[at - 1]!.trim() === '';
		if (isOfList || (isBelowBlank && isNotice([first, ...below].join(' ')))) {
			return at;
		}
	}
	return -1;
}

function isNotice(text: string): boolean {
	return (
		(headed.test(text) || notice.test(text)) && confidential.test(text) && ofRecipient.test(text) && !text.includes('?')
	);
}
