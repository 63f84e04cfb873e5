/** A tag of a page, as a browser would parse it. */
export interface SeenTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Every tag of a page. */
export async function tagsOf(html: string): Promise<SeenTag[]> {
  const tags: SeenTag[] = [];
  const rewriter = new HTMLRewriter().on('*', {
    element({ tagName: name, attributes }) {
      tags.push({
        name,
        attributes: Object.fromEntries([...attributes].map(([key = '', value = '']) => [key, value])),
      });
    },
  });
  await rewriter.transform(new Response(html)).text();
  return tags;
}

/** A form of a page, with the values that a browser would send unchanged. */
export interface SeenForm {
  readonly action: string;
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Every form of a page with its fields inside it. */
export async function formsOf(html: string): Promise<SeenForm[]> {
  const forms: (SeenForm & { fields: Record<string, string> })[] = [];
  let select: string | undefined;
  for (const { name: tag, attributes } of await tagsOf(html)) {
    const { name, value = '', action = '', method = 'get' } = attributes;
    const fields = forms.at(-1)?.fields;
    if (tag === 'form') forms.push({ action, method: method.toLowerCase(), fields: {} });
    else if (fields === undefined) continue;
    else if (tag === 'option' && select !== undefined && (!fields[select] || 'selected' in attributes))
      fields[select] = value;
    else if (name !== undefined && ['input', 'select', 'textarea', 'button'].includes(tag)) {
      fields[name] = value;
      select = tag === 'select' ? name : undefined;
    }
  }
  return forms;
}

const ELEMENTS = new Set(
  `html head meta title link script body a header nav main footer section search h1 h2 h3 p div span strong small code pre br
  form label progress input select option textarea button fieldset legend table thead tbody tr th td ul ol li dl dt dd details summary
  svg img symbol use circle rect path line polyline polygon g text time figure figcaption aside i`.split(
    /\s+/,
  ),
);
const ADDRESSES: Readonly<Record<string, RegExp>> = {
  href: /^(?:\/(?:console|portal)(?:[/?]|$)|\/docs(?:\/handbook\/[a-z-]+)?$|#content$|#i-[a-z]+$|otpauth:\/\/totp\/Redoubt)/,
  src: /^\/(?:(?:console|portal)\/|api\/v1\/trust\/\w+\/badge\.svg$)/,
  action: /^\/(?:console|portal)(?:\/|$)/,
  formaction: /^\/console\/feed\//,
};

/** Why a tag is not one that Redoubt writes; undefined if it is. */
export function foreignIn({ name, attributes }: SeenTag): string | undefined {
  if (!ELEMENTS.has(name)) return `element ${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (/^on|^style$|^srcdoc$|zz/.test(key)) return `attribute ${key} of ${name}`;
    if (ADDRESSES[key] && !ADDRESSES[key].test(value)) return `${key} of ${name}: ${value}`;
  }
  return undefined;
}
