/** `label: text` in the head of an unquoted original mail. */
const labelled = /^\*{0,2}([\p{L}\p{M}][\p{L}\p{M} ]{0,30})[:：]\*{0,2}\s*\S/u;
const address = /[^\s<>@]@[^\s<>@]/;
const subjectLike = /\[[^\]]{1,100}\]|[:：]\s*(?:re|aw|sv):/i;
/** A year and a time. */
const moment = /\b(?:19|20)\d\d(?!\d).{0,40}?\d[:.]\d\d|\d[:.]\d\d.{0,40}?\b(?:19|20)\d\d\b/;
const [fewestLabels, mostLabels] = [3, 8];
const longestLabelled = 200;
/** Lines of a head with folded recipients, and blank ones. */
const farthestQuotation = 24;
/** Maximum distance between header and diff. */
const mostMessage = 300;
const quoted = /^[ \t]{0,8}[>|]/;

type LabelKind = 'from' | 'date' | 'to' | 'subject';

/** Labels that mail programs write above an original, in lower case. */
const labels: Readonly<Record<LabelKind, string>> = {
	from: `from|von|de|de la|da|van|från|fra|frá|lähettäjä|keneltä|od|šalje|nadawca|odesílatel|odosielateľ|pošiljatelj|kimden|gönderen
		|feladó|expéditeur|remitente|remetente|mittente|afzender|avsändare|avsender|afsender|absender|expeditor|saatja|kellelt|nuo
		|siuntėjas|no|sūtītājs|dari|pengirim|từ|người gửi|από|от|от кого|отправитель|від|від кого|відправник|подател|пошиљалац
		|发件人|寄件者|寄件人|差出人|送信者|送信元|보낸 사람|보낸사람|발신|발신자|מאת|من|المرسل|از|จาก|ผู้ส่ง|प्रेषक`,
	date: `date|sent|sent on|sent at|datum|gesendet|gesendet am|envoyé|envoyé le|enviado|enviado el|enviado em|enviada|enviada em|fecha
		|data|inviato|verzonden|skickat|dato|sendt|dagsetning|lähetetty|päivämäärä|päiväys|wysłano|wysłane|odesláno|odoslané|dátum
		|poslano|poslato|gönderildi|gönderilme|gönderme tarihi|tarih|elküldve|küldve|trimis|saadetud|kuupäev|išsiųsta|nosūtīts
		|datums|dikirim|tanggal|đã gửi|ngày|στάλθηκε|εστάλη|ημερομηνία|дата|отправлено|отправлен|надіслано|изпратено|послато|датум
		|发送时间|發送時間|时间|日期|寄件日期|傳送時間|已傳送|送信日時|送信日|日時|日付|보낸 날짜|보낸날짜|날짜|תאריך|נשלח|تاريخ|التاريخ|تاریخ|วันที่|ส่ง|दिनांक|तारीख`,
	to: `to|an|à|para|a|aan|till|til|vastaanottaja|kenelle|do|komu|pro|prima|za|kime|alıcı|címzett|către|kellele|saaja|kam|kepada
		|đến|tới|προς|кому|до|до кого|получатель|収件人|收件人|收件者|宛先|받는 사람|받는사람|수신|אל|إلى|به|ถึง|प्रति`,
	subject: `subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|efni|aihe|temat|předmět|predmet|konu|tárgy|subiect|teema
		|tema|temats|perihal|subjek|chủ đề|tiêu đề|θέμα|тема|относно|предмет|主题|主旨|主題|件名|제목|נושא|الموضوع|موضوع|เรื่อง|หัวเรื่อง|विषय`,
};
const kindOfLabel: ReadonlyMap<string, LabelKind> = new Map(
	(['from', 'date', 'to', 'subject'] as const).flatMap((kind) =>
		labels[kind].split('|').map((label) => [label.trim(), kind] as const),
	),
);

/** A heading between dashes. */
const dashed = /^-{4,} ?(\p{L}[^-]{1,100}?(?:-\p{L}[^-]{1,100}?)?) ?-{4,}$/u;
/** Beginnings of words for an original or forwarded mail, and of words for a mail. */
const forwarded =
	`(?:reply|orig|orijinal|oorspronk|urspr|oprind|opprinn|alkuper|oryginal|původn|pôvodn|izvorn|eredeti|forward|weitergeleit
	|transf|transm|réexp|reenv|encaminh|inoltra|doorgestuur|vidare|videre|välit|edelleen|przekazan|přepos|preposl|prosl|ilet|yönlendir
	|továbbít|redirec|исходн|оригинал|перес|вихідн|оригінал|πρωτότυπ|αρχικ|προωθ)\\p{L}*`.replaceAll(/\s+/g, '');
const letter =
	`(?:message|missatge|mail|e-?mail|e-post|nachricht|bericht|mensaje|mensagem|messaggio|correo|courriel|meddeland|meddelels
	|melding|viesti|wiadomość|zpráva|správa|poruka|ileti|mesaj|posta|üzenet|сообщени|письм|повідомленн|лист|μήνυμα)\\p{L}*`.replaceAll(
		/\s+/g,
		'',
	);
const knownMark = new RegExp(
	`^(?:(?:begin |start of )?(?:${forwarded}[ -]?${letter}|${letter} (?:d['’ ]|de |di )?${forwarded})` +
		'(?:$| (?:from|of|by|on|von|vom|de|van|av|från|fra|od|от) )|原始|.*原件$|元の|.*転送|转发|轉|원본|.*전달)',
	'iu',
);
/** `---- On Mon, 03 Mar 2025 10:00:00 +0100 Ann Lee <ann@forge.test> wrote ----` */
const dashedAttribution = /^-{4} ?\p{L}.{1,150}<[^<>\s]+@[^<>\s]+>.{0,30}-{4}$/u;
const year = /\b(?:19|20)\d\d\b/;

/**
 * True if the original mail follows this line. Dashes alone prove nothing: people write them around any heading, and
 * the text below must not vanish.
 */
export function isOriginalBelow(lines: readonly string[], at: number): boolean {
	const text = lines[at]!.slice(0, longestLabelled + 1).trimEnd();
	if (!text.startsWith('--') || text.length > longestLabelled) {
		return false;
	}
	const [, heading] = dashed.exec(text) ?? [];
	const next = lines[at + 1]?.trim() === '' ? at + 2 : at + 1;
	return (
		(heading !== undefined && (knownMark.test(heading) || isMailHead(lines, next))) ||
		(dashedAttribution.test(text) && year.test(text)) ||
		/^-{2,}\s?original message/i.test(text)
	);
}

/** True if marked lines follow a mark and its mail head, which makes the mark an attribution. */
export function isAboveQuotation(lines: readonly string[], at: number): boolean {
	for (const line of lines.slice(at + 1, at + 1 + farthestQuotation)) {
		if (quoted.test(line)) {
			return true;
		}
		if (line.trim() !== '' && !isOfHead(line)) {
			return false;
		}
	}
	return false;
}

/** A line of a mail head, or the rest of a folded one. */
export function isOfHead(line: string): boolean {
	return labelled.test(line.slice(0, longestLabelled)) || /^[ \t]/.test(line);
}

/**
 * True if a mail head starts here: at least three lines `label: text`. Test reports and logs look alike, so the labels
 * must be those of a mail: a sender, a time, and a recipient or subject. Labels of unknown languages need all of them.
 */
export function isMailHead(lines: readonly string[], at: number): boolean {
	const next = lines.slice(at, at + mostLabels);
	const end = next.findIndex((line) => !isLabelled(line));
	const head = (end === -1 ? next : next.slice(0, end)).map((line) => line.slice(0, longestLabelled));
	// Other lines may stand directly above a head.
	if (head.length < fewestLabels || !isMailLabel(head[0]!)) {
		return false;
	}
	const isOf = (kind: LabelKind, line: string): boolean => kindOf(line) === kind;
	const isDated = head.some((line) => isOf('date', line) && moment.test(line));
	if (isDated && head.some((line) => isOf('from', line))) {
		const isWhole = head.some((line) => isOf('to', line)) && head.some((line) => isOf('subject', line));
		return (
			isWhole ||
			head.some((line) => (isPerson(line) ? address.test(line) : isOf('subject', line) && subjectLike.test(line)))
		);
	}
	const isForeign = head.every(isMailLabel);
	return isForeign && [moment, address, subjectLike].every((sign) => head.some((line) => sign.test(line)));
}

/** A known label, or one in a language that nobody listed. */
function isMailLabel(line: string): boolean {
	return kindOf(line) !== undefined || /[^\p{ASCII}]/u.test(labelOf(line));
}

/** True for only a sender and a date, as above a quotation. */
export function isShortHead(lines: readonly string[]): boolean {
	const kinds = lines.map((line) => kindOf(line.slice(0, longestLabelled)));
	return kinds.includes('from') && kinds.includes('date') && !kinds.includes(undefined);
}

function isPerson(line: string): boolean {
	const kind = kindOf(line);
	return kind === 'from' || kind === 'to';
}

function labelOf(line: string): string {
	return (labelled.exec(line)?.[1] ?? '').trim().toLowerCase();
}

function kindOf(line: string): LabelKind | undefined {
	return kindOfLabel.get(labelOf(line));
}

/** Keys of trailers contain a hyphen or are well-known words. */
function isLabelled(line: string): boolean {
	const start = line.slice(0, longestLabelled);
	return labelled.test(start) && !/^(?:Fixes|Link|Closes|References|Implements)\s?:/i.test(start);
}

/** True at the start of a `git format-patch` patch by the writer, not of the answered mail. */
export function isPatchHead(lines: readonly string[], at: number): boolean {
	const above = lines[at - 1] ?? '';
	const head = lines.slice(at, at + mostLabels).map((line) => line.slice(0, longestLabelled));
	const isBoxed = /^From [0-9a-f]{7,64} Mon Sep 17 00:00:00 2001$/.test(above.trim());
	const isPatch = head.some((line) => /^Subject:\s*\[[^\]]*PATCH/i.test(line));
	const isReceived = head.some((line) => /^\*{0,2}(?:To|Sent|Cc)\s?:/i.test(line));
	return (
		isBoxed ||
		(isPatch && !isReceived && lines.slice(at, at + mostMessage).some((line) => line.startsWith('diff --git ')))
	);
}
